// error: requires that 'SecretBytes' conform to 'Encodable'
import SecretMemory

func use(_ secret: borrowing SecretBytes) {}
func encode(_ value: some Encodable) {}

func encode() {
    let secret = SecretBytes.random(count: 32)
    #if LEAK
    encode(secret)
    #else
    use(secret)
    #endif
    use(secret)
}

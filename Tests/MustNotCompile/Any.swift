// error: 'SecretBytes' does not conform to specified type 'Copyable'
import SecretMemory

func use(_ secret: borrowing SecretBytes) {}

func any() {
    let secret = SecretBytes.random(count: 32)
    #if LEAK
    let anything: Any = secret
    _ = anything
    #else
    use(secret)
    #endif
    use(secret)
}

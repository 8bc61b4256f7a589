// error: 'SecretBytes' does not conform to expected type 'Copyable'
import SecretMemory

func use(_ secret: borrowing SecretBytes) {}

func print() {
    let secret = SecretBytes.random(count: 32)
    #if LEAK
    print(secret)
    #else
    use(secret)
    #endif
    use(secret)
}

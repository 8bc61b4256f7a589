// error: 'SecretBytes' does not conform to expected type 'Copyable'
import SecretMemory

func use(_ secret: borrowing SecretBytes) {}

func reflect() {
    let secret = SecretBytes.random(count: 32)
    #if LEAK
    _ = Mirror(reflecting: secret)
    #else
    use(secret)
    #endif
    use(secret)
}

// error: requires that 'SecretBytes' conform to 'Equatable'
import SecretMemory

func use(_ secret: borrowing SecretBytes) {}

func equal() {
    let secret = SecretBytes.random(count: 32)
    let other = SecretBytes.random(count: 32)
    #if LEAK
    _ = secret == other
    #else
    _ = secret.isEqual(to: other)
    #endif
    use(secret)
}

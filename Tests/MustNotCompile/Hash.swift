// error: requires that 'SecretBytes' conform to 'Hashable'
import SecretMemory

func use(_ secret: borrowing SecretBytes) {}

func hash() {
    let secret = SecretBytes.random(count: 32)
    #if LEAK
    var hasher = Hasher()
    hasher.combine(secret)
    #else
    use(secret)
    #endif
    use(secret)
}

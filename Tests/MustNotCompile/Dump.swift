// error: requires that 'SecretBytes' conform to 'Copyable'
import SecretMemory

func use(_ secret: borrowing SecretBytes) {}

func dump() {
    let secret = SecretBytes.random(count: 32)
    #if LEAK
    dump(secret)
    #else
    use(secret)
    #endif
    use(secret)
}

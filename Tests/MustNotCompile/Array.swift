// error: requires that 'SecretBytes' conform to 'Copyable'
import SecretMemory

func use(_ secret: borrowing SecretBytes) {}

func array() {
    let secret = SecretBytes.random(count: 32)
    #if LEAK
    let list = [secret]
    _ = list
    #else
    use(secret)
    #endif
    use(secret)
}

// error: 'secret' used after consume
import SecretMemory

func use(_ secret: borrowing SecretBytes) {}

func copy() {
    let secret = SecretBytes.random(count: 32)
    #if LEAK
    let twin = secret
    use(twin)
    #else
    use(secret)
    #endif
    use(secret)
}

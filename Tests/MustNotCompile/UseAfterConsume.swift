// error: 'secret' used after consume
import SecretMemory

func use(_ secret: borrowing SecretBytes) {}
func discard(_ secret: consuming SecretBytes) {}
func useAfterConsume() {
    let secret = SecretBytes.random(count: 32)
    #if LEAK
    discard(secret)
    #else
    use(secret)
    #endif
    use(secret)
}

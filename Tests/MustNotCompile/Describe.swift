// error: no exact matches in call to initializer
import SecretMemory

func use(_ secret: borrowing SecretBytes) {}

func describe() {
    let secret = SecretBytes.random(count: 32)
    #if LEAK
    _ = String(describing: secret)
    #else
    use(secret)
    #endif
    use(secret)
}

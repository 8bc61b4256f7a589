// error: no exact matches in call to instance method 'appendInterpolation'
import SecretMemory

func use(_ secret: borrowing SecretBytes) {}

func interpolate() {
    let secret = SecretBytes.random(count: 32)
    #if LEAK
    let text = "\(secret)"
    _ = text
    #else
    use(secret)
    #endif
    use(secret)
}

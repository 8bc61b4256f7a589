// error: cannot use mutating member on immutable value
import SecretMemory

func use(_ secret: borrowing SecretBytes) {}

func mutate() {
    let secret = SecretBytes.random(count: 32)
    #if LEAK
    secret.withUnsafeMutableBytes { $0[0] = 0 }
    #else
    secret.withUnsafeBytes { _ = $0.count }
    #endif
    use(secret)
}

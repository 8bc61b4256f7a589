// error: requires that 'SecretBytes' conform to 'Copyable'
import SecretMemory

func use(_ secret: borrowing SecretBytes) {}
func take<Value>(_ value: Value) {}
func lend<Value: ~Copyable>(_ value: borrowing Value) {}

func generic() {
    let secret = SecretBytes.random(count: 32)
    #if LEAK
    take(secret)
    #else
    lend(secret)
    #endif
    use(secret)
}

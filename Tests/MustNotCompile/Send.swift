// error: 'SecretBytes' does not conform to the 'Sendable' protocol
import SecretMemory

func use(_ secret: borrowing SecretBytes) {}
func send<Value: Sendable & ~Copyable>(_ value: borrowing Value) {}
func lend<Value: ~Copyable>(_ value: borrowing Value) {}

func send() {
    let secret = SecretBytes.random(count: 32)
    #if LEAK
    send(secret)
    #else
    lend(secret)
    #endif
    use(secret)
}

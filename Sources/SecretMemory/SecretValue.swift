/// A plain value without references, such as the state of a hash, that lies in secret memory.
///
/// A `mutating` method called on it inside `withValue` works in place, so that nothing of the value
/// comes to lie on the stack.
public struct SecretValue<Value>: ~Copyable {
    private var memory: SecretBytes

    /// Starts from a value that is not secret yet.
    public init(_ initial: Value) {
        memory = SecretBytes(count: MemoryLayout<Value>.size) {
            $0.storeBytes(of: initial, as: Value.self)
        }
    }

    /// Gives the value in place. It must not leave `body`.
    public mutating func withValue<Result: ~Copyable, Failure>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try memory.withUnsafeMutableBytes { bytes throws(Failure) in
            try body(&bytes.assumingMemoryBound(to: Value.self)[0])
        }
    }
}

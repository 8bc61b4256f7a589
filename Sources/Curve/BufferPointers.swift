/// The addresses that libsecp256k1 takes: never nil.
extension UnsafeRawBufferPointer {
    /// The first byte.
    ///
    /// - Precondition: the buffer is not empty.
    package var start: UnsafePointer<UInt8> {
        guard let baseAddress else { preconditionFailure("a number of fixed size has bytes") }
        return baseAddress.assumingMemoryBound(to: UInt8.self)
    }
}

extension UnsafeMutableRawBufferPointer {
    /// The first byte.
    ///
    /// - Precondition: the buffer is not empty.
    package var start: UnsafeMutablePointer<UInt8> {
        guard let baseAddress else { preconditionFailure("a number of fixed size has bytes") }
        return baseAddress.assumingMemoryBound(to: UInt8.self)
    }
}

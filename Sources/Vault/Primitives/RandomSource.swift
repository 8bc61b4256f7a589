public import SecretMemory

/// Where keys, salts and nonces come from.
public struct RandomSource {
    private let fill: (UnsafeMutableRawBufferPointer) -> Void

    /// The kernel's generator.
    public static var kernel: RandomSource {
        RandomSource { SecretMemory.fillWithRandomBytes($0) }
    }

    /// Another source, for test vectors only.
    package init(_ fill: @escaping (UnsafeMutableRawBufferPointer) -> Void) { self.fill = fill }

    /// `count` secret bytes.
    public func secret(count: Int) -> SecretBytes { SecretBytes(count: count) { fill($0) } }

    /// `count` bytes that are no secret, such as a salt or a nonce.
    public func bytes(count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            fill(
                UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count]))
            filled = count
        }
    }
}

import CSecp256k1
import Curve
import SecretMemory

/// libsecp256k1's working state for secret keys, blinded with random bytes so that timing and
/// power draw say less about the keys. Make one for each operation and pass it along.
///
/// The state lies in secret memory: its blinding is as worth hiding as the keys. Make it in the
/// process that uses it, because a fork empties secret memory.
public struct SigningContext: ~Copyable {
    private let memory: SecretBytes
    let pointer: OpaquePointer

    /// Makes and blinds a context.
    public init() {
        let flags = UInt32(SECP256K1_CONTEXT_NONE)
        var memory = SecretBytes(count: secp256k1_context_preallocated_size(flags))
        let context = memory.withUnsafeMutableBytes { place in
            secp256k1_context_preallocated_create(place.start, flags)
        }
        guard let context else { preconditionFailure("a context of known flags can be made") }
        self.memory = memory
        pointer = context
        SecretBytes.random(count: 32).withUnsafeBytes { seed in
            guard secp256k1_context_randomize(pointer, seed.start) == 1 else {
                preconditionFailure("a context can be blinded")
            }
        }
    }

    deinit { secp256k1_context_preallocated_destroy(pointer) }
}

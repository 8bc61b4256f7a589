/// What a derived key or a sealed layer is for: ASCII of the form `bulkhead/1/<purpose>`.
///
/// No two purposes share a label, so that no byte sealed for one of them means anything to another.
/// `docs/formats.md` lists them all.
struct DomainLabel: Sendable {
    /// The text, as it enters HKDF as `info`.
    let bytes: [UInt8]

    init(_ purpose: StaticString) {
        let text = UnsafeBufferPointer(start: purpose.utf8Start, count: purpose.utf8CodeUnitCount)
        bytes = Array("bulkhead/1/".utf8) + Array(text)
    }

    /// What an AEAD authenticates beside its ciphertext: the label, a zero byte that ends it, and
    /// the public bytes the layer belongs to.
    func associatedData(_ context: [UInt8]) -> [UInt8] { bytes + [0] + context }
}

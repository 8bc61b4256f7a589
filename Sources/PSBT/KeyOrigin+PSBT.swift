import Bitcoin
import Wire

extension KeyOrigin {
    /// A fingerprint and little-endian steps, whose number was checked before.
    init(serialized bytes: ArraySlice<UInt8>) {
        let fingerprint = Fingerprint(bytes.prefix(4)) ?? .none
        let steps = stride(from: bytes.startIndex + 4, to: bytes.endIndex, by: 4).map {
            ChildNumber(rawValue: bytes[$0...].littleEndian())
        }
        self.init(fingerprint: fingerprint, path: (try? DerivationPath(steps)) ?? .empty)
    }

    /// The fingerprint and the steps, little-endian.
    var serialized: [UInt8] {
        var writer = Writer(capacity: 4 + path.steps.count * 4)
        writer.write(fingerprint.bytes)
        for step in path.steps { writer.write(step.rawValue) }
        return writer.bytes
    }
}

/// A descriptor with what helps to recover a wallet from it (BIP393, a draft): where to begin
/// scanning and how many unused addresses to look at.
public struct AnnotatedDescriptor: Hashable, Sendable {
    /// A name of lower-case letters and a number.
    public struct Annotation: Hashable, Sendable {
        /// Such as `bh`.
        public let key: String
        /// Its value.
        public let value: UInt64
    }

    /// The descriptor.
    public let descriptor: Descriptor
    /// In the order of the text, those with an unknown meaning too.
    public let annotations: [Annotation]

    /// The height at or after which the wallet first received anything.
    public var birthHeight: UInt64? { value(of: "bh") }
    /// How many unused addresses in a row end the search.
    public var gapLimit: UInt64? { value(of: "gl") }

    private func value(of key: String) -> UInt64? { annotations.first { $0.key == key }?.value }

    /// Reads `SCRIPT`, or `SCRIPT?key=value&key=value`, with or without a checksum over all of it.
    public init(_ text: String) throws(DescriptorError) {
        let (body, _) = try DescriptorChecksum.strip(Array(text.utf8))
        let mark = body.firstIndex(of: UInt8(ascii: "?")) ?? body.count
        descriptor = try Descriptor(Expression(utf8: Array(body[..<mark])))
        var annotations: [Annotation] = []
        if mark < body.count {
            let pairs = body[(mark + 1)...].split(
                separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
            for pair in pairs {
                let annotation = try AnnotatedDescriptor.read(pair)
                guard !annotations.contains(where: { $0.key == annotation.key }) else {
                    throw DescriptorError(.annotation, at: pair.startIndex)
                }
                annotations.append(annotation)
            }
        }
        self.annotations = annotations
    }

    private static func read(_ pair: ArraySlice<UInt8>) throws(DescriptorError) -> Annotation {
        let error = DescriptorError(.annotation, at: pair.startIndex)
        guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { throw error }
        let key = pair[..<equals]
        let digits = pair[(equals + 1)...]
        guard !key.isEmpty, key.allSatisfy({ (0x61...0x7A).contains($0) }),
            !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }),
            digits.count == 1 || digits.first != 0x30,
            let value = UInt64(String(decoding: digits, as: UTF8.self))
        else { throw error }
        return Annotation(key: String(decoding: key, as: UTF8.self), value: value)
    }
}

extension AnnotatedDescriptor: CustomStringConvertible {
    /// The canonical text with its checksum.
    public var description: String {
        var body = descriptor.body
        for (index, annotation) in annotations.enumerated() {
            body += (index == 0 ? "?" : "&") + "\(annotation.key)=\(annotation.value)"
        }
        guard let checksum = try? DescriptorChecksum.compute(body) else { return body }
        return body + "#" + checksum
    }
}

/// What the kernel says of the machine's memory (`/proc/meminfo`), by a descriptor that was opened
/// while files could be.
public struct MemoryFigures: Sendable {
    private let descriptor: Int32

    /// The descriptor stays its owner's.
    public init(descriptor: Int32) { self.descriptor = descriptor }

    /// Bytes that a process can take before the machine swaps or ends something; nil where the kernel
    /// does not say.
    public func available() -> UInt64? {
        guard descriptor >= 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = bytes.withUnsafeMutableBytes {
            try? Kernel.read(descriptor, at: 0, into: $0)
        }
        guard let count else { return nil }
        return MemoryFigures.available(in: bytes[..<count])
    }

    /// The line `MemAvailable:  123 kB`, in bytes.
    static func available(in text: ArraySlice<UInt8>) -> UInt64? {
        let name = Array("MemAvailable:".utf8)
        for line in text.split(separator: UInt8(ascii: "\n")) where line.starts(with: name) {
            let fields = line.dropFirst(name.count).split(separator: UInt8(ascii: " "))
            guard fields.count == 2, fields[1].elementsEqual("kB".utf8),
                let kibibytes = UInt64(String(decoding: fields[0], as: UTF8.self))
            else { return nil }
            let (bytes, isTooMuch) = kibibytes.multipliedReportingOverflow(by: 1024)
            return isTooMuch ? nil : bytes
        }
        return nil
    }
}

import Foundation
import Testing

@testable import SecretMemory

@Suite("Secret bytes")
struct SecretBytesTests {
    /// A slot size that nothing else in this test process takes.
    static let ownSize = 1 << 16

    @Test("a secret is wiped over its whole slot when its owner goes, and the slot is used again")
    func wiped() {
        func fill() -> UnsafeRawPointer? {
            let secret = SecretBytes(capacity: Self.ownSize) { buffer in
                buffer.initializeMemory(as: UInt8.self, repeating: 0xA5)
                return 3
            }
            #expect(secret.count == 3)
            return secret.withUnsafeBytes { $0.baseAddress }
        }
        let first = fill()
        let slot = UnsafeRawBufferPointer(start: first, count: Self.ownSize)
        #expect(slot.allSatisfy { $0 == 0 })
        #expect(fill() == first)
    }

    @Test("nothing stays of a secret whose filling fails")
    func failedFill() {
        struct Stop: Error {}
        var address: UnsafeMutableRawPointer?
        #expect(throws: Stop.self) {
            _ = try SecretBytes(count: Self.ownSize / 2 + 1) { buffer throws(Stop) in
                buffer.initializeMemory(as: UInt8.self, repeating: 0x5A)
                address = buffer.baseAddress
                throw Stop()
            }
        }
        let slot = UnsafeRawBufferPointer(start: address, count: Self.ownSize)
        #expect(slot.allSatisfy { $0 == 0 })
    }

    @Test("secret pages are locked, not dumped, emptied on fork, between two that nobody reads")
    func pages() throws {
        try SecretMemory.prepare()
        let secret = SecretBytes(count: 1)
        let address = secret.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        let file = try #require(FileHandle(forReadingAtPath: "/proc/self/smaps"))
        let lines = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
            .split(separator: "\n")
        let regions = lines.enumerated().compactMap { number, line -> (Int, Range<UInt>, String)? in
            guard let match = line.firstMatch(of: #/^([0-9a-f]+)-([0-9a-f]+) (....) /#),
                let low = UInt(match.1, radix: 16), let high = UInt(match.2, radix: 16)
            else { return nil }
            return (number, low..<high, String(match.3))
        }
        let index = try #require(regions.firstIndex { $0.1.contains(address) })
        #expect(regions.count > 10)
        #expect(regions[index].1.count == SecretMemory.capacity)
        #expect(regions[index].2 == "rw-p")
        let flags = try #require(
            lines[regions[index].0...].first { $0.hasPrefix("VmFlags:") }?.split(separator: " "))
        for flag in ["lo", "dd", "wf"] { #expect(flags.contains(Substring(flag)), "\(flag)") }
        #expect(regions[index - 1].2 == "---p")
        #expect(regions[index - 1].1.upperBound == regions[index].1.lowerBound)
        #expect(regions[index + 1].2 == "---p")
        #expect(regions[index + 1].1.lowerBound == regions[index].1.upperBound)
    }

    @Test("secrets are equal when length and all bytes are")
    func equality() {
        let secret = SecretBytes(copying: [1, 2, 3])
        let twin = secret.duplicate()
        let equalTwin = secret.isEqual(to: twin)
        #expect(equalTwin)
        let equalPrefix = secret.isEqual(to: SecretBytes(copying: [1, 2]))
        #expect(!equalPrefix)
        for index in 0..<3 {
            var other = secret.duplicate()
            other.withUnsafeMutableBytes { $0[index] ^= 0x80 }
            let equalOther = secret.isEqual(to: other)
            #expect(!equalOther)
        }
        let equalEmpty = SecretBytes(count: 0).isEqual(to: SecretBytes(count: 0))
        #expect(equalEmpty)
    }

    @Test("random secrets differ, also beyond the 256 bytes that the kernel gives at once")
    func random() {
        let first = SecretBytes.random(count: 600)
        let repeats = first.isEqual(to: SecretBytes.random(count: 600))
        #expect(!repeats)
        first.withUnsafeBytes { bytes in
            for start in [0, 256, 512] {
                #expect(bytes[start..<start + 88].contains { $0 != 0 })
            }
        }
    }

    @Test("slots are powers of two from 64 bytes")
    func slotSizes() {
        let sizes = [0, 1, 64, 65, 128, 129, 4096, SecretMemory.capacity].map(SecretPool.slotSize)
        #expect(sizes == [64, 64, 64, 128, 128, 256, 4096, SecretMemory.capacity])
    }
}

extension SecretBytes {
    init(copying bytes: [UInt8]) {
        self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
    }
}

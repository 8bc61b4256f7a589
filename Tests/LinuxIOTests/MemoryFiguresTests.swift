import Glibc
import Testing

@testable import LinuxIO

@Suite("Figures of memory")
struct MemoryFiguresTests {
    private func available(_ text: String) -> UInt64? {
        MemoryFigures.available(in: Array(text.utf8)[...])
    }

    @Test("the kernel's own page is read, as often as asked")
    func real() throws {
        let descriptor = open("/proc/meminfo", O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let figures = MemoryFigures(descriptor: descriptor)
        for _ in 0..<3 { #expect(try #require(figures.available()) > 1 << 20) }
        #expect(MemoryFigures(descriptor: -1).available() == nil)
    }

    @Test("only the one line counts, in kibibytes")
    func lines() {
        #expect(available("MemTotal: 9 kB\nMemAvailable:    5120 kB\n") == 5120 << 10)
        #expect(available("MemTotal: 9 kB\n") == nil)
        #expect(available("MemAvailable: x kB\n") == nil)
        #expect(available("MemAvailable: 5 MB\n") == nil)
        #expect(available("MemAvailable: 18446744073709551615 kB\n") == nil)
        #expect(available("") == nil)
    }
}

import Foundation
import LinuxIO
import Testing

@testable import KeeperRuntime

@Suite("Files of a program")
struct ProgramFilesTests {
    @Test(
        "the listing of the dynamic loader is read, with the loader and the kernel's library left out"
    )
    func listing() throws {
        let text = """
            \tlinux-vdso.so.1 (0x00007f481ec38000)
            \tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f481e9f1000)
            \tlibswiftCore.so => /opt/swift/usr/lib/swift/linux/libswiftCore.so (0x0000)
            \t/lib64/ld-linux-x86-64.so.2 (0x00007f481ec3a000)

            """
        let expected: [ProgramFiles.Library] = [
            .init(name: "libc.so.6", path: "/lib/x86_64-linux-gnu/libc.so.6"),
            .init(name: "libswiftCore.so", path: "/opt/swift/usr/lib/swift/linux/libswiftCore.so"),
        ]
        #expect(try ProgramFiles.parse(listing: text) == expected)
        #expect(try ProgramFiles.parse(listing: "\tstatically linked\n").isEmpty)
        #expect(throws: Errno.noSuchFile) {
            try ProgramFiles.parse(listing: "\tlibx.so => not found\n")
        }
    }

    @Test("a real program is found with its loader and the C library")
    func realProgram() throws {
        let files = try ProgramFiles(path: "/bin/ls")
        #expect(files.loader?.contains("/ld-linux") == true)
        #expect(files.libraries.contains { $0.name == "libc.so.6" })
        #expect(files.libraries.allSatisfy { FileManager.default.fileExists(atPath: $0.path) })
    }

    @Test("the loader is read from the program's head, and from no damaged one")
    func interpreter() throws {
        let program = try Data(contentsOf: URL(filePath: "/bin/ls"))
        let head = [UInt8](program.prefix(ElfInterpreter.headLength))
        #expect(ElfInterpreter.path(inHead: head)?.hasPrefix("/lib") == true)
        for length in 0..<1024 { _ = ElfInterpreter.path(inHead: Array(head.prefix(length))) }
        // Whatever one byte of the headers becomes, nothing traps.
        var found: Set<String?> = []
        for offset in 0..<512 {
            for value: UInt8 in [0, 1, 0x7f, 0xff] {
                var damaged = head
                damaged[offset] = value
                found.insert(ElfInterpreter.path(inHead: damaged))
            }
        }
        #expect(found.contains(nil))
        #expect(ElfInterpreter.path(inHead: Array("#!/bin/sh\n".utf8)) == nil)
    }
}

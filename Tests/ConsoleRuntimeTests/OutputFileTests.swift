import Foundation
import Testing

@testable import ConsoleRuntime

@Suite("Files that appear whole or not at all")
struct OutputFileTests {
    private func text(_ path: String) -> String? {
        try? String(contentsOfFile: path, encoding: .utf8)
    }

    @Test("nothing has the name before the file is whole, and nobody else may read it")
    func commit() throws {
        try withFolder { folder in
            let file = try OutputFile(folder + "kit.pdf", overwrites: false)
            #expect(names(folder).isEmpty)
            #expect(write(file.descriptor, "whole", 5) == 5)
            try file.commit()
            #expect(names(folder) == ["kit.pdf"])
            #expect(text(folder + "kit.pdf") == "whole")
            let facts = try FileManager.default.attributesOfItem(atPath: folder + "kit.pdf")
            #expect(facts[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test("with a hidden name it comes to the same, and is locked until then")
    func hiddenName() throws {
        try withFolder { folder in
            let file = try OutputFile(folder + "kit.pdf", overwrites: false, needsName: true)
            let hidden = try #require(names(folder).first)
            #expect(hidden.hasPrefix(".kit.pdf.") && hidden.hasSuffix(".bulkhead"))
            // Another command leaves it alone as long as somebody may be writing.
            try OutputFile(folder + "other", overwrites: false).discard()
            #expect(names(folder) == [hidden])
            #expect(write(file.descriptor, "whole", 5) == 5)
            try file.commit()
            #expect(names(folder) == ["kit.pdf"])
            let facts = try FileManager.default.attributesOfItem(atPath: folder + "kit.pdf")
            #expect(facts[.posixPermissions] as? Int == 0o600)
            let late = try OutputFile(folder + "late", overwrites: false, needsName: true)
            try "old".write(toFile: folder + "late", atomically: true, encoding: .utf8)
            #expect(throws: OutputFile.Problem.self) { try late.commit() }
            #expect(text(folder + "late") == "old" && names(folder) == ["kit.pdf", "late"])
        }
    }

    @Test(
        "the longest name that a file can have leaves room for its hidden one",
        arguments: ["a", "é", "語", "👩‍👩‍👧"])
    func longNames(_ character: String) throws {
        try withFolder { folder in
            let name = String(repeating: character, count: 255 / character.utf8.count)
            let file = try OutputFile(folder + name, overwrites: false, needsName: true)
            #expect(try #require(names(folder).first).utf8.count <= 255)
            try file.commit()
            #expect(names(folder).map { $0.utf8.count } == [name.utf8.count])
        }
    }

    @Test("what a killed command left goes when the next file is begun there, and nothing else")
    func leftBehind() throws {
        try withFolder { folder in
            for name in [".kit.pdf.1a2b.bulkhead", ".kit.pdf.1a2b", "kit.bulkhead", ".x"] {
                try "secret".write(toFile: folder + name, atomically: false, encoding: .utf8)
            }
            #expect(symlink("/etc/passwd", folder + ".link.1.bulkhead") == 0)
            try OutputFile(folder + "kit.txt", overwrites: false).discard()
            #expect(
                names(folder) == [".kit.pdf.1a2b", ".link.1.bulkhead", ".x", "kit.bulkhead"])
        }
    }

    @Test("room is taken before anything is written, and what is not needed of it given back")
    func reserve() throws {
        try withFolder { folder in
            let file = try OutputFile(folder + "kit.pdf", overwrites: false, reserving: 1 << 18)
            var facts = stat()
            #expect(fstat(file.descriptor, &facts) == 0 && facts.st_blocks >= 512)
            #expect(write(file.descriptor, "whole", 5) == 5)
            try file.commit()
            #expect(text(folder + "kit.pdf") == "whole")
            #expect(throws: OutputFile.Problem.self) {
                _ = try OutputFile(folder + "big", overwrites: false, reserving: 1 << 60)
            }
            #expect(names(folder) == ["kit.pdf"])
        }
    }

    @Test("what is given up leaves nothing")
    func discard() throws {
        try withFolder { folder in
            try OutputFile(folder + "kit.pdf", overwrites: true).discard()
            #expect(names(folder).isEmpty)
        }
    }

    @Test("a name that a link or a directory has is told before anything is written")
    func takenNames() throws {
        try withFolder { folder in
            try #require(symlink("none", folder + "link") == 0)
            try FileManager.default.createDirectory(
                atPath: folder + "directory", withIntermediateDirectories: false)
            for (name, overwrites, says) in [
                ("link", false, "is there already"), ("directory", false, "is a directory"),
                ("directory", true, "is a directory"),
            ] {
                do throws(OutputFile.Problem) {
                    try OutputFile(folder + name, overwrites: overwrites).discard()
                    Issue.record("\(name) was taken")
                } catch {
                    #expect(error.description.contains(says), "\(name)")
                }
            }
            #expect(names(folder) == ["directory", "link"])
            // Where it may be replaced, the link goes and not what it leads to.
            try OutputFile(folder + "link", overwrites: true).commit()
            #expect(names(folder) == ["directory", "link"])
            #expect(
                (try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "link")) == nil
            )
        }
    }

    @Test("a file that is there is neither begun over nor replaced, unless that was asked for")
    func overwriting() throws {
        try withFolder { folder in
            let path = folder + "kit.pdf"
            // It comes while the other is written.
            let late = try OutputFile(path, overwrites: false)
            try "old".write(toFile: path, atomically: true, encoding: .utf8)
            #expect(throws: OutputFile.Problem.self) { try late.commit() }
            #expect(throws: OutputFile.Problem.self) { try OutputFile(path, overwrites: false) }
            #expect(text(path) == "old" && names(folder) == ["kit.pdf"])
            let forced = try OutputFile(path, overwrites: true)
            #expect(write(forced.descriptor, "new", 3) == 3)
            try forced.commit()
            #expect(text(path) == "new" && names(folder) == ["kit.pdf"])
        }
    }

    @Test("what is no ordinary file is never replaced, whatever was asked for")
    func noOrdinaryFile() throws {
        try withFolder { folder in
            let path = folder + "pipe"
            // It comes while the other is written.
            let late = try OutputFile(path, overwrites: true)
            let later = try OutputFile(folder + "any", overwrites: true)
            #expect(mkfifo(path, 0o600) == 0)
            #expect(throws: OutputFile.Problem.self) { try late.commit() }
            #expect(throws: OutputFile.Problem.self) {
                try later.commit(as: "pipe", keepingPrevious: true)
            }
            do throws(OutputFile.Problem) {
                _ = try OutputFile(path, overwrites: true)
                Issue.record("a pipe was to be replaced")
            } catch {
                #expect(error.description.contains("is no ordinary file"))
            }
            #expect(OutputFile.whatHas(path) == S_IFIFO && names(folder) == ["pipe"])
        }
    }

    @Test("a name found out later is taken, and what had it before stays beside it")
    func laterName() throws {
        try withFolder { folder in
            for content in ["one", "two", "six"] {
                let file = try OutputFile(folder + "any", overwrites: true)
                #expect(write(file.descriptor, content, 3) == 3)
                try file.commit(as: "a.backup", keepingPrevious: true)
            }
            #expect(names(folder) == ["a.backup", "a.backup.previous"])
            #expect(
                text(folder + "a.backup") == "six" && text(folder + "a.backup.previous") == "two")
        }
    }

    @Test("a folder that is not there, and a name of a folder, are refused")
    func noPlace() {
        for path in ["/var/empty/none/kit.pdf", "", "/tmp/"] {
            #expect(throws: OutputFile.Problem.self) { try OutputFile(path, overwrites: false) }
        }
    }

    @Test("a long operation shows as a bar on a terminal and as a line elsewhere")
    func progress() {
        let bar = ProgressLine.text(done: 1 << 20, total: 4 << 20, share: 25, bar: true)
        #expect(bar == "[#######                       ] 25 %, 1 of 4 MiB")
        #expect(
            ProgressLine.text(done: 2 << 20, total: 4 << 20, share: 50, bar: false)
                == "50 %, 2 of 4 MiB")
        #expect(ProgressLine.text(done: 3 << 20, total: 0, share: 3, bar: true) == "3 MiB")
    }
}

import Testing

@Suite("Words that must not stand in the sources")
struct WordTests {
    static let swift = SourceTree.files(below: "Sources", endings: [".swift"])

    /// Modules that hold or could meet secrets: nothing in them prints or reflects.
    static let silent: Set<String> = [
        "Accounts", "Bitcoin", "Curve", "Descriptors", "Hashing", "KeyTree", "KitDocument", "PSBT",
        "PSBTSigning", "Review", "SecretMemory", "SignerCore", "SignerRuntime", "SignerWork",
        "Signing", "StateFiles", "Vault", "Wire",
    ]

    @Test("nothing on the signer's side prints, dumps or reflects")
    func silence() {
        expectAbsent(
            /\b(?:print|debugPrint|dump)\(|\bMirror\(|String\(reflecting:/,
            in: Self.swift.filter { Self.silent.contains($0.module) })
    }

    @Test("nothing is forced: no try!, as! or unsafe bit cast")
    func force() {
        expectAbsent(/\btry!|\bas!|unsafeBitCast\(/, in: Self.swift)
    }

    @Test("no marker of unfinished work is left in the tree")
    func markers() {
        let all =
            Self.swift + SourceTree.files(below: "Sources", endings: [".c", ".h"])
            + SourceTree.files(below: "scripts", endings: [""])
            + SourceTree.files(below: "docs", endings: [".md"])
        expectAbsent(/\b(?:TODO|FIXME|XXX|HACK)\b/, in: all)
    }

    @Test("the syscall function is called in the C shims and in the attempts of CProbe only")
    func syscall() {
        expectAbsent(/\bsyscall\(/, in: Self.swift)
        let elsewhere = SourceTree.files(below: "Sources", endings: [".c", ".h"])
            .filter { !["CLinux", "CNamespaces", "CProbe"].contains($0.module) }
        expectAbsent(/\bsyscall\(/, in: elsewhere)
    }

    @Test("a test reads a process's files through ProcessFile, which reads them to their end")
    func processFiles() {
        expectAbsent(
            /contentsOfFile: "\/proc/, in: SourceTree.files(below: "Tests", endings: [".swift"]))
    }

    @Test("no path in the repository has a space")
    func spaces() {
        for folder in ["Sources", "Tests", "docs", "scripts"] {
            for file in SourceTree.files(below: folder, endings: [""]) {
                #expect(!file.path.contains(" "), "\(file.path)")
            }
        }
    }

    private func expectAbsent(_ pattern: some RegexComponent, in files: [SourceTree.File]) {
        for file in files {
            for (number, line) in file.lines.enumerated()
            where !line.trimmingPrefix(/\s*/).hasPrefix("//") || file.path.hasPrefix("docs") {
                #expect(!line.contains(pattern), "\(file.path):\(number + 1): \(line)")
            }
        }
    }
}

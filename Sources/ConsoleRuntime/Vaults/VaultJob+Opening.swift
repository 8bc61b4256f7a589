import Configuration
import ConsoleCore
import Glibc
import LinuxIO
import Wire

extension VaultJob {
    /// Opens everything that the command will need, so that a wrong name is said before anything is asked.
    init(_ words: CommandLineWords, _ options: CommandOptions) throws(CommandEnd) {
        self.words = words
        self.options = options
        if command.asksForSecrets { try openPerson() }
        do {
            try openFiles()
        } catch {
            discard()
            throw error
        }
    }

    private mutating func openPerson() throws(CommandEnd) {
        terminal = PersonTerminal.open()
        answers = try words.descriptor(.passwordFD)
        phrase = try words.descriptor(.phraseFD)
        if answers != nil { terminal = nil }
        guard answers != nil || terminal != nil else {
            throw .problem(
                .usage, "there is no terminal to ask at; a script gives --password-fd N")
        }
        guard terminal == nil else { return }
        if command.showsPhrase, phrase == nil {
            throw .problem(.usage, "there is no terminal to show the words at; give --phrase-fd N")
        }
        if command.makesKit, command != .kit, !words.has(.kit) {
            throw .problem(.usage, "there is no terminal to show the kit at; give --kit FILE")
        }
    }

    private mutating func openFiles() throws(CommandEnd) {
        switch command {
        case .walletCreate, .walletImport, .itemsCreate: try openKit(words.value(.kit))
        case .kit: try openKit(argument(0))
        case .backup, .ledgerExport:
            output = try argument(0).map { path throws(CommandEnd) in try file(path) }
        case .itemsGet:
            if let path = argument(1), path != "-" {
                output = try file(path)
            } else if isatty(STDOUT_FILENO) == 1 {
                throw .problem(.usage, "standard output is a terminal; name a file")
            }
        case .restore: try openBackup()
        case .signMessage: message = try MessageSource.read(words)
        default: break
        }
        if command.changesVault { try openOwnBackup() }
    }

    private func file(_ path: String, reserving count: Int = 0) throws(CommandEnd) -> OutputFile {
        do throws(OutputFile.Problem) {
            return try OutputFile(path, overwrites: words.has(.force), reserving: count)
        } catch {
            throw .problem(.input, "\(error)")
        }
    }

    private mutating func openKit(_ path: String?) throws(CommandEnd) {
        guard let path else { return }
        let isPDF = path.lowercased().hasSuffix(".pdf")
        guard isPDF || path.lowercased().hasSuffix(".txt") else {
            throw .problem(
                .usage, "\(VisibleText(path, limit: 200)): a kit's name ends in .pdf or .txt")
        }
        // Several times a page: a full disk is found before an old recovery code dies.
        kit = (try file(path, reserving: 256 << 10), isPDF)
    }

    /// One descriptor to check it and one to restore from.
    private mutating func openBackup() throws(CommandEnd) {
        let path = argument(0) ?? ""
        var header = [UInt8](repeating: 0, count: 80)
        for _ in 0..<(words.has(.check) ? 1 : 2) {
            inputs.append(try InputBytes.open(path, .ordinary).take())
        }
        guard pread(inputs[0], &header, header.count, 0) == header.count else {
            throw CommandEnd.problem(.input, "it is no backup of Bulkhead").of(path)
        }
        inputVault = header
    }

    private mutating func openOwnBackup() throws(CommandEnd) {
        if let path = words.value(.backup) {
            backup = (try file(path), false)
        } else if !words.has(.noBackup), let folder = AutomaticBackup.folder {
            do throws(OutputFile.Problem) {
                backup = (try OutputFile(folder + "/bulkhead.backup", overwrites: true), true)
            } catch {
                StandardStream.error(
                    "bulkhead: no backup will be made after this change: \(error)\n")
            }
        }
    }

    /// Removes what is not whole.
    func discard() {
        kit?.file.discard()
        output?.discard()
        backup?.file.discard()
    }

    /// Puts the files under their names that the child reported as whole: `k`, `o`, and `b` with the
    /// vault's id, a line each. `m` stands for a vault or kit that was made.
    func commit(_ report: [UInt8]) -> ExitCode? {
        let lines = report.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        var failed: ExitCode?
        func put(_ file: OutputFile?, _ line: String?, named name: String? = nil) {
            guard let file else { return }
            guard line != nil else { return file.discard() }
            do throws(OutputFile.Problem) {
                try file.commit(as: name, keepingPrevious: name != nil)
            } catch {
                StandardStream.error("bulkhead: \(error)\n")
                failed = .system
            }
        }
        put(kit?.file, lines.first { $0 == "k" })
        put(output, lines.first { $0 == "o" })
        let line = lines.first { $0.hasPrefix("b") }
        let name = line.map { "bulkhead-" + $0.dropFirst() + ".backup" }
        put(backup?.file, line, named: backup?.isAutomatic == true ? name : nil)
        return failed
    }
}

extension CommandLineWords {
    /// An open descriptor that a script gave by its number.
    func descriptor(_ flag: CommandFlag) throws(CommandEnd) -> Int32? {
        let number: Int?
        do throws(CommandLineWords.Problem) {
            number = try self.number(flag, in: 0...1023)
        } catch {
            throw .problem(.usage, "\(error)")
        }
        guard let number else { return nil }
        guard Kernel.isOpen(Int32(number)) else {
            throw .problem(.usage, "--\(flag.rawValue): descriptor \(number) is not open")
        }
        return Int32(number)
    }
}

extension CommandName {
    /// Whether a backup made before it lacks something.
    var changesVault: Bool {
        switch self {
        case .walletCreate, .walletImport, .walletPassword, .walletRename, .walletRecover, .kit,
            .itemsCreate, .itemsAdd, .itemsRemove:
            true
        default: false
        }
    }
}

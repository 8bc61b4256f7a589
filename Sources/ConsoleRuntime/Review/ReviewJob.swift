import Configuration
import ConsoleCore
import Glibc
import LinuxIO
import Messages
import PSBT
import Wire

/// What the launcher of a command on PSBTs has opened and understood before anything is confined.
struct ReviewJob {
    /// What is to be done.
    enum Work {
        /// Print the report of a file.
        case review(file: [UInt8])
        /// Review a file, and sign it.
        case sign(file: [UInt8])
        /// Look at what waits, and decide.
        case approve(EntryID)
        /// Reject what waits.
        case reject(EntryID, reason: String)
        /// List what waits.
        case pending
    }

    let words: CommandLineWords
    let options: CommandOptions
    let work: Work
    /// What the file or request is called on the screen.
    let title: String
    var terminal: PersonTerminal?
    var answers: Int32?
    var idleLimit = Duration.seconds(120)
    /// Where a signed file goes, and a raw transaction if it is wanted.
    var files: SignedFiles?

    init(_ words: CommandLineWords, _ options: CommandOptions, _ work: Work, title: String) {
        self.words = words
        self.options = options
        self.work = work
        self.title = title
    }

    /// Opens the terminal, or the descriptor that a script gave.
    mutating func openPerson() throws(CommandEnd) {
        idleLimit = try IdleLimit.of(words)
        answers = try words.descriptor(.passwordFD)
        if answers == nil { terminal = PersonTerminal.open() }
        guard answers != nil || terminal != nil else {
            throw .problem(
                .usage, "there is no terminal to ask at; a script gives --password-fd N")
        }
        // A script sees no review: it has to say what it does without one.
        guard answers == nil || words.has(.yesIfNoWarnings) else {
            throw .problem(
                .usage,
                "a script says --yes-if-no-warnings; whatever has a warning is signed at a terminal"
            )
        }
    }

    /// An end with the name of the file, if there is one.
    func end(_ end: CommandEnd) -> CommandEnd {
        switch work {
        case .review, .sign: end.of(title)
        case .approve, .reject, .pending: end
        }
    }

    /// Every descriptor that the child needs.
    var descriptors: Set<Int32> { files?.descriptors ?? [] }
}

/// The files that signing makes, under temporary names until they are whole.
struct SignedFiles {
    let names: SignedFileNames
    private let signed: OutputFile
    private let final: OutputFile?
    private let text: PSBTFile.Encoding?

    /// Makes the temporary files.
    ///
    /// - Parameter text: how the answer is written, where it does not come out as the file was.
    /// - Throws: before anything is asked, if one of the names is taken or too long.
    init(
        _ names: SignedFileNames, withFinal: Bool, writtenAs text: PSBTFile.Encoding? = nil
    ) throws(CommandEnd) {
        self.text = text
        try names.check(withFinal: withFinal, advice: "move it, or name another folder with --out")
        self.names = names
        do throws(OutputFile.Problem) {
            signed = try OutputFile(names.folder + names.signed, overwrites: false)
        } catch {
            throw .problem(.input, "\(error)")
        }
        do throws(OutputFile.Problem) {
            final =
                withFinal ? try OutputFile(names.folder + names.final, overwrites: false) : nil
        } catch {
            signed.discard()
            throw .problem(.input, "\(error)")
        }
    }

    var descriptors: Set<Int32> { Set([signed.descriptor, final?.descriptor].compactMap { $0 }) }

    /// Writes both, in the child.
    func write(_ file: ArraySlice<UInt8>, transaction: ArraySlice<UInt8>) throws(Errno) {
        try PSBTContent.write(file, as: text, to: signed.descriptor)
        if let final { try StandardStream.send(transaction, to: final.descriptor) }
    }

    /// What stands in a report before the answer for programs, which is printed once the files are
    /// under their names.
    static let answerMark: Character = "j"

    /// The answer for programs in a report.
    static func answer(in report: [UInt8]) -> String? {
        report.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
            .first { $0.first == answerMark }.map { String($0.dropFirst()) }
    }

    /// Puts the files under their names that the child reported as whole: `s` for a complete one, `p`
    /// for one that lacks signatures, `t` for a transaction.
    ///
    /// - Returns: The paths that are there now, and why one is not.
    func commit(_ report: [UInt8]) -> (paths: [String], problem: OutputFile.Problem?) {
        let lines = report.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        var paths: [String] = []
        var problem: OutputFile.Problem?
        func put(_ file: OutputFile?, _ name: String?) {
            guard let file else { return }
            guard let name else { return file.discard() }
            do throws(OutputFile.Problem) {
                try file.commit(as: name)
                paths.append(names.folder + name)
            } catch {
                problem = problem ?? error
            }
        }
        put(signed, lines.contains("s") ? names.signed : lines.contains("p") ? names.part : nil)
        put(final, lines.contains("t") ? names.final : nil)
        return (paths, problem)
    }

    /// Removes what is not whole.
    func discard() {
        signed.discard()
        final?.discard()
    }
}

extension SignedFileNames {
    /// Finds out that a name is too long, or taken, while nobody has been asked yet.
    ///
    /// - Parameter advice: what to do about one that is taken.
    func check(withFinal: Bool, advice: String) throws(CommandEnd) {
        if let name = tooLong(withFinal: withFinal) {
            throw .problem(
                .input,
                "\(VisibleText(name, limit: 300)) would be a name of \(name.utf8.count) bytes, and a "
                    + "file's has \(Self.longest) at most: give the file to sign a shorter one")
        }
        for path in paths(withFinal: withFinal) where OutputFile.whatHas(path) != nil {
            throw .problem(
                .input,
                "\(VisibleText(path, limit: 200)) is there already, and nothing is overwritten: "
                    + advice)
        }
    }
}

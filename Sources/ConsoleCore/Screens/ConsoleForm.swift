public import StateFiles
import Wire

/// A few questions that a task begins with, one after the other. Nothing secret is typed into it.
public struct ConsoleForm: Hashable, Sendable {
    /// What the answers become.
    private enum Subject: Hashable, Sendable {
        case create, importWords, sign, verify
        case receive(VaultID)
        case kit(VaultID)
        case backup(VaultID)
    }

    private struct Question: Hashable, Sendable {
        let label: String
        let hint: String
        var usual: String?
        /// What an answer must be; anything where it is nil.
        var allowed: Allowed?

        enum Allowed: Hashable, Sendable {
            case wordCount, index, yesOrNo, day
        }

        func accepts(_ answer: String) -> Bool {
            switch allowed {
            case .wordCount: answer == "12" || answer == "24"
            case .index: UInt32(answer).map { $0 < 1 << 31 } ?? false
            case .yesOrNo: answer == "yes" || answer == "no"
            case .day: answer.isEmpty || UTCTime(date: answer) != nil
            case nil: true
            }
        }
    }

    /// What a key led to.
    public enum Step: Hashable, Sendable {
        /// It is drawn anew.
        case more
        /// Back to where it was opened.
        case back
        /// Everything is answered.
        case run(ConsoleTask)
    }

    private let title: String
    private let subject: Subject
    private let questions: [Question]
    private var answers: [String] = []
    private var typed = ""
    private var message = ""

    /// The longest answer.
    public static let longestAnswer = 1000

    private init(_ title: String, _ subject: Subject, _ questions: [Question]) {
        self.title = title
        self.subject = subject
        self.questions = questions
    }

    private static let kitQuestion = Question(
        label: "File for the recovery kit",
        hint: "A name that ends in .pdf or .txt. Nothing: the kit is shown, to be written down.",
        usual: "")

    /// A new wallet.
    public static let create = ConsoleForm(
        "A new wallet", .create,
        [
            Question(label: "Name", hint: "What you will call it."),
            Question(
                label: "Words", hint: "12 or 24; Enter alone takes 24.", usual: "24",
                allowed: .wordCount),
            kitQuestion,
        ])
    /// A wallet from its words.
    public static let importWords = ConsoleForm(
        "Import a wallet from its words", .importWords,
        [
            Question(label: "Name", hint: "What you will call it."),
            Question(
                label: "BIP39 passphrase",
                hint: "yes or no; Enter alone means no. It is asked for later, and not shown.",
                usual: "no", allowed: .yesOrNo),
            Question(
                label: "First used",
                hint: "A day like 2024-05-31, before its first payment. Nothing: not known.",
                usual: "", allowed: .day),
            kitQuestion,
        ])
    /// A file to sign.
    public static let sign = ConsoleForm(
        "Sign a file", .sign,
        [
            Question(label: "File", hint: "A PSBT in binary, base64 or hexadecimal."),
            Question(
                label: "Transaction",
                hint: "yes writes it too, once no signature is missing; Enter alone means no.",
                usual: "no", allowed: .yesOrNo),
        ])
    /// An address to look for.
    public static let verify = ConsoleForm(
        "Is an address ours?", .verify,
        [Question(label: "Address", hint: "In one piece or in groups, or a bitcoin: URI.")])

    /// An address of a wallet.
    public static func receive(_ id: VaultID) -> ConsoleForm {
        ConsoleForm(
            "An address to receive at", .receive(id),
            [
                Question(
                    label: "Index", hint: "Enter alone takes 0, the first one.", usual: "0",
                    allowed: .index)
            ])
    }

    /// A new kit of a vault.
    public static func kit(_ id: VaultID) -> ConsoleForm {
        ConsoleForm(
            "A new recovery kit; the old recovery code dies", .kit(id),
            [Question(label: "File", hint: "A name that ends in .pdf or .txt.")])
    }

    /// A backup of a vault.
    public static func backup(_ id: VaultID) -> ConsoleForm {
        ConsoleForm(
            "A backup", .backup(id),
            [Question(label: "File", hint: "Where it goes, best on another disk.")])
    }

    /// Takes a key.
    public mutating func take(_ key: ScreenKey) -> Step {
        message = ""
        switch key {
        case .character(let character):
            if typed.utf8.count + character.utf8.count <= Self.longestAnswer {
                typed.append(character)
            }
        case .backspace: typed = String(typed.dropLast())
        case .clear: typed = ""
        case .cancel: return .back
        case .enter: return next()
        default: break
        }
        return .more
    }

    private mutating func next() -> Step {
        let question = questions[answers.count]
        guard let answer = typed.isEmpty ? question.usual : typed else {
            message = "nothing is typed yet"
            return .more
        }
        guard question.accepts(answer) else {
            message = "that cannot be: see the line below"
            return .more
        }
        answers.append(answer)
        typed = ""
        return answers.count == questions.count ? .run(task) : .more
    }

    private var task: ConsoleTask {
        switch subject {
        case .create: .create(name: answers[0], words: Int(answers[1]) ?? 24, kit: answers[2])
        case .importWords:
            .importWords(
                name: answers[0], kit: answers[3], hasPassphrase: answers[1] == "yes",
                birthday: answers[2])
        case .sign: .sign(path: answers[0], isFinal: answers[1] == "yes")
        case .verify: .verify(address: answers[0])
        case .receive(let id): .receive(id, index: UInt32(answers[0]) ?? 0)
        case .kit(let id): .kit(id, path: answers[0])
        case .backup(let id): .backup(id, path: answers[0])
        }
    }

    /// Exactly `rows` lines of at most `columns` characters each.
    public func lines(columns: Int, rows: Int) -> [String] {
        let frame = ScreenFrame(
            columns: columns, rows: rows,
            keys: ["Enter goes on", "backspace, ^U empty", "^C gives up"], message: message)
        var body: [String] = []
        for (question, answer) in zip(questions, answers) {
            body.append("\(question.label): \(VisibleText(answer, limit: 200))")
        }
        if answers.count < questions.count {
            let question = questions[answers.count]
            // The end of a long answer is where it is typed.
            let shown = VisibleText(typed, limit: Self.longestAnswer).description
            let room = max(10, columns - question.label.count - 4)
            let end = shown.columns > room ? "…" + shown.suffix(columns: room - 1) : shown
            body += ["\(question.label): \(end)_", "", question.hint]
        }
        return frame.lines(
            title: title, body: body.flatMap { TextWrap.lines($0, columns: columns) })
    }
}

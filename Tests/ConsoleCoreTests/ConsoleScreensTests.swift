import StateFiles
import Testing

@testable import ConsoleCore

@Suite("The console's screens")
struct ConsoleScreensTests {
    private func type(_ text: String, into screens: inout ConsoleScreens) -> ConsoleScreens.Step {
        var last = ConsoleScreens.Step.more
        for character in text {
            last = screens.take(character == "\r" ? .enter : .character(character))
        }
        return last
    }

    private func screen(_ screens: ConsoleScreens) -> [String] {
        screens.lines(columns: 80, rows: 24)
    }

    @Test("a new wallet: its name, its words and its kit are asked for one by one")
    func create() throws {
        var screens = ConsoleScreens(Sample.home())
        #expect(type("n\r", into: &screens) == .more)
        try expectKept(screen(screens), "form-without-name")
        #expect(type("Spaß\r13\r", into: &screens) == .more)
        try expectKept(screen(screens), "form-wrong-count")
        #expect(screens.take(.clear) == .more)
        #expect(type("12\r", into: &screens) == .more)
        #expect(
            type("-kit.pdf\r", into: &screens)
                == .run(.create(name: "Spaß", words: 12, kit: "-kit.pdf")))
        #expect(!screens.isTyping)
    }

    @Test("what Enter alone takes")
    func usual() {
        var screens = ConsoleScreens(Sample.home())
        #expect(
            type("nSavings\r\r\r", into: &screens)
                == .run(.create(name: "Savings", words: 24, kit: "")))
        #expect(
            type("iOld\r\r\r\r", into: &screens)
                == .run(
                    .importWords(name: "Old", kit: "", hasPassphrase: false, birthday: "")))
        #expect(
            type("s\ra.psbt\r\r", into: &screens)
                == .run(.sign(path: "a.psbt", isFinal: false)))
        let final = ConsoleTask.sign(path: "a.psbt", isFinal: true)
        #expect(type("sa.psbt\ryes\r", into: &screens) == .run(final))
        #expect(final.arguments == ["sign", "--final", "--", "a.psbt"])
        #expect(type("vbcrt1 q\r", into: &screens) == .run(.verify(address: "bcrt1 q")))
    }

    @Test("an import tells of the passphrase and of the first day, and takes nothing else there")
    func importForm() {
        var screens = ConsoleScreens(Sample.home())
        for wrong in ["maybe", "Yes"] {
            #expect(type("iOld\r\(wrong)\r", into: &screens) == .more)
            #expect(screen(screens).contains { $0.contains("BIP39 passphrase: \(wrong)_") })
            _ = screens.take(.cancel)
        }
        #expect(type("iOld\ryes\r2024-02-30\r", into: &screens) == .more)
        #expect(screen(screens).contains { $0.contains("First used: 2024-02-30_") })
        _ = screens.take(.clear)
        #expect(
            type("2024-02-29\rkit.txt\r", into: &screens)
                == .run(
                    .importWords(
                        name: "Old", kit: "kit.txt", hasPassphrase: true, birthday: "2024-02-29")))
    }

    @Test("a vault's tasks, by digits and by arrows; an items vault has no words and no addresses")
    func vault() throws {
        var screens = ConsoleScreens(Sample.home())
        let open: [ScreenKey] = [.down, .down, .enter]
        for key in open { _ = screens.take(key) }
        try expectKept(screen(screens), "vault")
        #expect(screens.take(.character("2")) == .run(.showPhrase(Sample.id(1))))
        #expect(type("1\r", into: &screens) == .run(.receive(Sample.id(1), index: 0)))
        #expect(type("17\r", into: &screens) == .run(.receive(Sample.id(1), index: 7)))
        #expect(type("1x\r", into: &screens) == .more)
        #expect(screens.take(.cancel) == .more)
        #expect(type("3", into: &screens) == .run(.changePassword(Sample.id(1))))
        #expect(type("4k.txt\r", into: &screens) == .run(.kit(Sample.id(1), path: "k.txt")))
        #expect(type("5b\r", into: &screens) == .run(.backup(Sample.id(1), path: "b")))
        #expect(type("6", into: &screens) == .run(.delete(Sample.id(1))))
        #expect(type("q", into: &screens) == .more)
        _ = screens.take(.down)
        _ = screens.take(.enter)
        #expect(screens.take(.character("1")) == .run(.changePassword(Sample.id(2))))
        #expect(screens.take(.character("5")) == .more)
    }

    @Test("what was typed goes after the idle time, and the screen says so")
    func idle() throws {
        var screens = ConsoleScreens(Sample.home())
        _ = type("nSecret plan", into: &screens)
        #expect(screens.isTyping)
        screens.dropTyped(after: 120)
        #expect(!screens.isTyping)
        #expect(screen(screens).contains { $0.contains("nothing was typed for 120 seconds") })
        #expect(!screen(screens).contains { $0.contains("Secret plan") })
        _ = type("n", into: &screens)
        #expect(!screen(screens).contains { $0.contains("Secret plan") })
    }

    @Test("every task survives its way to the launcher, and what a person typed is never a flag")
    func tasks() throws {
        let id = Sample.id(7)
        let tasks: [ConsoleTask] = [
            .create(name: "--force", words: 24, kit: "--force"),
            .importWords(name: "-n", kit: "", hasPassphrase: true, birthday: "2024-05-31"),
            .receive(id, index: 5), .verify(address: "--json"), .showPhrase(id),
            .changePassword(id), .kit(id, path: "--force"), .backup(id, path: "--every-change=/"),
            .delete(id), .ledger, .decide(3),
            .sign(path: "--yes-if-no-warnings", isFinal: false), .sign(path: "-", isFinal: true),
        ]
        for task in tasks {
            #expect(ConsoleTask(record: task.record) == task)
            let words = try CommandLineWords(task.arguments)
            for flag in CommandFlag.allCases where words.has(flag) {
                #expect(
                    [.words, .kit, .index, .passphrase, .birthday, .final].contains(flag), "\(task)"
                )
            }
        }
    }

    @Test(
        "what is no task is none",
        arguments: [
            "", "create", "create\0", "nothing\0", "sign\0a\0b\0", "receive\0x\0000\0",
            "decide\0-1\0",
            "create\0a\0many\0\0", String(repeating: "a", count: 5000) + "\0",
        ])
    func noTask(_ record: String) { #expect(ConsoleTask(record: Array(record.utf8)) == nil) }

    @Test("every form and screen keeps to its size, however small the terminal")
    func sizes() {
        for (columns, rows) in [(80, 24), (40, 10), (20, 4), (1, 1), (200, 60)] {
            for keys in ["", "n", "i", "s", "v"] {
                var screens = ConsoleScreens(Sample.home())
                _ = type(
                    keys + String(repeating: "x", count: keys.isEmpty ? 0 : 2000), into: &screens)
                let lines = screens.lines(columns: columns, rows: rows)
                #expect(lines.count == rows)
                #expect(lines.allSatisfy { $0.count <= columns })
            }
        }
    }
}

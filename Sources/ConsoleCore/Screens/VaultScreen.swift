public import Messages
import StateFiles
import Wire

/// What can be done with a vault.
public struct VaultScreen: Sendable {
    /// The vault.
    public let vault: VaultRow
    /// What is said in the lower rule until the next key.
    public var message = ""
    private var cursor = 0

    /// The tasks of a vault.
    public init(_ vault: VaultRow) { self.vault = vault }

    private enum Item: String, CaseIterable {
        case receive = "show an address to receive at"
        case phrase = "show the recovery phrase"
        case password = "change the password"
        case kit = "make a new recovery kit"
        case backup = "make a backup"
        case delete = "delete it"
    }

    private var items: [Item] {
        vault.kind == .wallet
            ? Item.allCases : Item.allCases.filter { $0 != .receive && $0 != .phrase }
    }

    /// Takes a key; nil goes back.
    public mutating func take(_ key: ScreenKey) -> HomeScreen.Step? {
        message = ""
        switch key {
        case .up: cursor = max(0, cursor - 1)
        case .down: cursor = min(cursor + 1, items.count - 1)
        case .enter: return step(items[cursor])
        case .character(let digit):
            if let number = digit.wholeNumberValue, items.indices.contains(number - 1) {
                return step(items[number - 1])
            }
            if digit == "q" { return nil }
        case .cancel, .left, .backspace: return nil
        default: break
        }
        return .more
    }

    private func step(_ item: Item) -> HomeScreen.Step {
        switch item {
        case .receive: .form(.receive(vault.id))
        case .phrase: .run(.showPhrase(vault.id))
        case .password: .run(.changePassword(vault.id))
        case .kit: .form(.kit(vault.id))
        case .backup: .form(.backup(vault.id))
        case .delete: .run(.delete(vault.id))
        }
    }

    /// Exactly `rows` lines of at most `columns` characters each.
    public func lines(columns: Int, rows: Int) -> [String] {
        let name = VisibleText(vault.name.isEmpty ? "?" : vault.name, limit: 60).description
        var body = [
            "\(vault.kind) on \(vault.chain.name), made \(UTCTime(seconds: vault.createdAt).date)",
            "id \(vault.id)",
        ]
        if !vault.problem.isEmpty {
            body.append(VisibleText(vault.problem, limit: 300).description)
        }
        body.append("")
        for (place, item) in items.enumerated() {
            body.append((place == cursor ? "> " : "  ") + "\(place + 1)  \(item.rawValue)")
        }
        let frame = ScreenFrame(
            columns: columns, rows: rows,
            keys: ["arrows choose", "Enter or a digit does it", "q back"], message: message)
        return frame.lines(
            title: name, body: body.flatMap { TextWrap.lines($0, columns: columns) })
    }
}

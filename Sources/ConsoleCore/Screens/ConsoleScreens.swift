import Messages
import Wire

/// The screens of `bulkhead console`: the home screen, and over it a vault's tasks or a form.
public struct ConsoleScreens: Sendable {
    /// What is at the bottom of all.
    public var home: HomeScreen
    private var vault: VaultScreen?
    private var form: ConsoleForm?

    /// At the home screen.
    public init(_ home: HomeScreen) { self.home = home }

    /// What a key led to.
    public enum Step: Hashable, Sendable {
        /// They are drawn anew.
        case more
        /// Ask again now.
        case refresh
        /// Leave.
        case quit
        /// The launcher does it.
        case run(ConsoleTask)
    }

    /// Takes a key.
    public mutating func take(_ key: ScreenKey) -> Step {
        if var open = form {
            let step = open.take(key)
            form = open
            switch step {
            case .more: return .more
            case .back:
                form = nil
                return .more
            case .run(let task):
                form = nil
                return .run(task)
            }
        }
        guard var open = vault else { return follow(home.take(key)) }
        let step = open.take(key)
        vault = step == nil ? nil : open
        return step.map { follow($0) } ?? .more
    }

    private mutating func follow(_ step: HomeScreen.Step) -> Step {
        switch step {
        case .more: return .more
        case .refresh: return .refresh
        case .quit: return .quit
        case .run(let task): return .run(task)
        case .request(let id): return .run(.decide(id))
        case .vault(let row): vault = VaultScreen(row)
        case .form(let new): form = new
        }
        return .more
    }

    /// Whether something was typed that must not stay for whoever comes next.
    public var isTyping: Bool { form != nil }

    /// Drops what was typed, and says so.
    public mutating func dropTyped(after seconds: Int64) {
        guard isTyping else { return }
        form = nil
        vault = nil
        home.message = "nothing was typed for \(counted(seconds, "second")): it was dropped"
    }

    /// Exactly `rows` lines of at most `columns` characters each.
    public func lines(columns: Int, rows: Int) -> [String] {
        form?.lines(columns: columns, rows: rows) ?? vault?.lines(columns: columns, rows: rows)
            ?? home.lines(columns: columns, rows: rows)
    }
}

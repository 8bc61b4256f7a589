import ConsoleCore
import Prompts

/// Tells keys apart in the bytes of a terminal, for screens.
struct ScreenKeyDecoder {
    private var keys = KeyDecoder()
    private var characters = TypedCharacters()

    /// Takes the next byte; nil where the key is not over yet.
    mutating func take(_ byte: UInt8) -> ScreenKey? { keys.take(byte).flatMap { take($0) } }

    /// The same for a key that was told apart already.
    mutating func take(_ key: Key) -> ScreenKey? {
        switch key {
        case .byte(let byte): characters.take(byte).map(ScreenKey.character)
        case .enter: .enter
        case .backspace: .backspace
        case .clear: .clear
        case .cancel: .cancel
        case .up: .up
        case .down: .down
        case .left: .left
        case .right: .right
        case .pageUp: .pageUp
        case .pageDown: .pageDown
        case .home: .home
        case .end: .end
        case .tab, .other: .other
        }
    }
}

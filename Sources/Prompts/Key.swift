/// A key of a terminal.
public enum Key: Hashable, Sendable {
    /// A byte of a character, UTF-8.
    case byte(UInt8)
    /// Return or line feed.
    case enter
    /// Backspace or delete.
    case backspace
    /// Tab.
    case tab
    /// Control-U: the line anew.
    case clear
    /// Control-C or Control-D: give up.
    case cancel
    /// An arrow.
    case left, right, up, down
    /// A key that pages.
    case pageUp, pageDown, home, end
    /// A key that means nothing here.
    case other
}

/// Tells keys apart in the bytes that a terminal sends (ECMA-48).
///
/// Sequences that begin with escape are taken as a whole, so that no part of one is typed as text.
public struct KeyDecoder: Sendable {
    private enum State: Sendable {
        case plain, escape, sequence, single
    }

    private var state = State.plain
    /// The parameters of the sequence so far; no more of them than any key here has.
    private var parameters: [UInt8] = []

    /// At the beginning of a key.
    public init() {}

    /// Takes the next byte; nil where the key is not over yet.
    public mutating func take(_ byte: UInt8) -> Key? {
        switch state {
        case .plain: return plain(byte)
        case .escape:
            switch byte {
            case UInt8(ascii: "["):
                state = .sequence
                parameters = []
            case UInt8(ascii: "O"): state = .single
            case 0x1B: break
            default:
                // Escape alone, then another key.
                state = .plain
                return plain(byte)
            }
            return nil
        case .sequence:
            guard (0x40...0x7E).contains(byte) else {
                if parameters.count < 3 { parameters.append(byte) }
                return nil
            }
            state = .plain
            return byte == UInt8(ascii: "~") ? Self.numbered(parameters) : Self.named(byte)
        case .single:
            state = .plain
            return Self.named(byte)
        }
    }

    private mutating func plain(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x0A, 0x0D: return .enter
        case 0x08, 0x7F: return .backspace
        case 0x09: return .tab
        case 0x15: return .clear
        case 0x03, 0x04: return .cancel
        case 0x1B:
            state = .escape
            return nil
        case ..<0x20: return .other
        default: return .byte(byte)
        }
    }

    private static func named(_ byte: UInt8) -> Key {
        switch byte {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "H"): .home
        default: .other
        }
    }

    /// The keys of a VT220 that have a number; Home and End as the Linux console (1, 4) and rxvt (7, 8)
    /// send them. What follows a semicolon says which other keys are held.
    private static func numbered(_ parameters: [UInt8]) -> Key {
        switch parameters.prefix(while: { $0 != UInt8(ascii: ";") }) {
        case [UInt8(ascii: "1")], [UInt8(ascii: "7")]: .home
        case [UInt8(ascii: "4")], [UInt8(ascii: "8")]: .end
        case [UInt8(ascii: "5")]: .pageUp
        case [UInt8(ascii: "6")]: .pageDown
        default: .other
        }
    }
}

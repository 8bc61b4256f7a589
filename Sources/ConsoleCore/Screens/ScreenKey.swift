/// A key as the screens of the console know it.
public enum ScreenKey: Hashable, Sendable {
    /// A printable ASCII character.
    case character(Character)
    /// Return.
    case enter
    /// Backspace or delete.
    case backspace
    /// The line anew.
    case clear
    /// Give up.
    case cancel
    /// An arrow.
    case up, down, left, right
    /// A key that pages.
    case pageUp, pageDown, home, end
    /// A key that means nothing here.
    case other
}

/// An address as a person types or pastes it.
public enum TypedAddress {
    /// The address alone: without the white space of groups, and of a `bitcoin:` URI (BIP21) without its
    /// scheme and its parameters.
    public static func text(of arguments: [String]) -> String {
        var text = arguments.joined().filter { !$0.isWhitespace }
        let scheme = "bitcoin:"
        guard text.lowercased().hasPrefix(scheme) else { return text }
        text.removeFirst(scheme.count)
        return String(text.prefix { $0 != "?" })
    }
}

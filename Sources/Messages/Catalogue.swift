/// The whole of the messages as one text, and its digest.
///
/// The digest stands at the head of the first frame in each direction of every channel, so two
/// builds that would misunderstand each other say so and part.
public enum Catalogue {
    /// Bytes of the digest.
    public static let digestLength = 32

    /// `docs/messages.md`.
    public static func render() -> String {
        var text = """
            # Messages

            Written by `scripts/docs` from `Sources/Messages`; a test compares the two.

            A frame is 12 bytes and a body: length of the body (4 bytes), kind (2), reserved (2, zero) and
            sequence (4, counted from 0 in each direction), all big-endian. In a body, integers are
            little-endian, a text is its length (2 bytes) and UTF-8, a list its length (2 bytes) and rows.
            The first frame in each direction begins with the SHA-256 of this page (32 bytes).

            An unknown kind, a kind of another channel or direction, one out of phase, a second one of a
            kind that is sent once, a body beyond its limit or with bytes left over, a nonzero reserved
            field, a wrong sequence, a frame that stays unfinished or a descriptor that the row does not
            announce end the channel. No body carries a secret: those cross as pipes, by descriptor.

            """
        for edge in Edge.allCases { text += render(edge) }
        let retired = MessageKind.retired.sorted().map(hexadecimal).joined(separator: ", ")
        text += "\nRetired numbers: \(retired.isEmpty ? "none" : retired).\n"
        return text
    }

    private static func render(_ edge: Edge) -> String {
        var text = """

            ## \(edge.name): \(edge.end(.asking)) and \(edge.end(.answering))

            | kind | message | from | phase | times | body at most | descriptor | answered by |
            |---|---|---|---|---|---|---|---|

            """
        let kinds = MessageKind.allCases.filter { $0.edge == edge }
        for kind in kinds {
            let row = kind.row
            let phase = row.phase == row.then ? "\(row.phase)" : "\(row.phase), then \(row.then)"
            let cells = [
                hexadecimal(kind.rawValue), row.name, edge.end(row.sender), phase,
                row.times.rawValue, "\(row.limit)", row.attachment.rawValue,
                row.reply?.row.name ?? "-",
            ]
            text += "| " + cells.joined(separator: " | ") + " |\n"
        }
        text += "\n"
        for kind in kinds {
            let row = kind.row
            text += "- **\(row.name)** (\(row.fields)): \(row.sentence)\n"
        }
        return text
    }

    private static func hexadecimal(_ number: UInt16) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}

import LinuxIO
import Messages

/// `/etc/resolv.conf`, as it is passed on: its whole lines within the limit of the message. What they
/// mean is the network process's business.
enum NameServerFile {
    static let path = "/etc/resolv.conf"

    /// Empty if there is none.
    static func read(_ path: String = path) -> String {
        let bytes = (try? System.read(path, limit: Limit.nameServers)) ?? []
        return wholeLines(bytes, limit: Limit.nameServers)
    }

    /// A line that is cut could name another server.
    static func wholeLines(_ bytes: [UInt8], limit: Int) -> String {
        let newline = UInt8(ascii: "\n")
        var kept = bytes[...]
        if kept.count > limit {
            kept = kept.prefix(limit)
            kept = kept[..<((kept.lastIndex(of: newline) ?? kept.startIndex - 1) + 1)]
        }
        // Nothing that matters there is beyond ASCII.
        return String(decoding: kept.filter { $0 < 0x80 }, as: UTF8.self)
    }
}

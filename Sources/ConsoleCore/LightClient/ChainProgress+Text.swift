public import JSON
public import Messages
import StateFiles
import Wire

extension ChainProgress.Phase {
    /// The name in `--json`.
    var name: String { "\(self)" }

    /// What it does, or what hinders it and what to do.
    var sentence: String {
        switch self {
        case .starting: "starting"
        case .storeUnusable: "not running: its files cannot be used"
        case .lookingForPeers: "no peer yet"
        case .noNetwork: "no network: peers cannot be reached"
        case .noPeerServesFilters:
            "no peer serves filters: add one that does by bulkhead peers add ADDRESS"
        case .peersRest: "every known peer rests after a failure"
        case .clockIsBehind:
            "this machine's clock is behind, so that new blocks seem to come from the future: set it"
        case .provingWork: "checking that the chain of headers has the work it must have"
        case .headers: "fetching headers"
        case .filterHeaders: "fetching filter headers"
        case .settling: "peers differ over a filter: fetching the block that tells who lies"
        case .disputed:
            "peers differ over a filter, and nothing decides: another peer is needed "
                + "(bulkhead peers add ADDRESS)"
        case .invalidBlock: "a block of the chain with most work breaks a rule: waiting for another"
        case .scanning: "searching blocks for the watched wallets"
        case .searchingAgain: "searching earlier blocks for addresses that came into use"
        case .current: "up to date"
        }
    }
}

extension ChainProgress {
    /// A few lines for a person.
    public var lines: [String] {
        var lines = ["chain     " + phase.sentence + shownRemark]
        guard phase != .storeUnusable else { return lines + noticeLines }
        var numbers = ["height \(height)\(tipText)"]
        if filterHeight < height { numbers.append("filter headers to \(filterHeight)") }
        if wallets > 0, scannedHeight < height { numbers.append("searched to \(scannedHeight)") }
        lines.append("          " + numbers.joined(separator: ", "))
        let work = workParts
        if !work.isEmpty { lines.append("          " + work.joined(separator: ", ")) }
        lines.append(
            "          \(peers) of \(seats) peers, \(counted(wallets, "watched wallet")), "
                + "\(bytesText(keptBytes)) of filters kept")
        return lines + noticeLines
    }

    /// One line, for somebody who waits.
    public var line: String {
        var parts = [phase.sentence + shownRemark]
        switch phase {
        case .filterHeaders, .scanning, .searchingAgain, .current:
            parts.append("\(place) of \(height)")
        // How many there are nobody knows before the last has come; its time tells how far it is.
        case .headers: parts.append("\(place)\(tipText)")
        case .provingWork: parts.append("\(place)")
        default: break
        }
        return (parts + workParts).joined(separator: ", ")
    }

    /// For somebody who waits while nothing moves: what it waits for, and what can be done.
    public var advice: String {
        "it is waiting, with \(peers) of \(counted(seats, "peer")) connected: \(phase.sentence)"
            + "\(shownRemark). bulkhead peers list shows the peers and why some rest or are banned, bulkhead "
            + "peers add ADDRESS adds one; the search goes on whether somebody waits for it or not"
    }

    private var shownRemark: String {
        remark.isEmpty ? "" : " (\(VisibleText(remark, limit: 400)))"
    }

    private var tipText: String {
        tipTime > 0 ? " (\(UTCTime(seconds: UInt64(tipTime)).text))" : ""
    }

    /// Whether the chain is known to its end, so that what is left of it can be counted.
    private var isEndKnown: Bool {
        switch phase {
        case .starting, .storeUnusable, .lookingForPeers, .noNetwork, .noPeerServesFilters,
            .peersRest, .clockIsBehind, .provingWork, .headers:
            false
        case .filterHeaders, .settling, .disputed, .invalidBlock, .scanning, .searchingAgain,
            .current:
            true
        }
    }

    private var workParts: [String] {
        guard isEndKnown else { return [] }
        var parts: [String] = []
        if blocksLeft > 0, wallets > 0 { parts.append("\(counted(blocksLeft, "block")) left") }
        if let rate { parts.append("\(rate / 1000) blocks a second") }
        if let bytesLeft, bytesLeft > 0 { parts.append("\(bytesText(bytesLeft)) to fetch") }
        if let secondsLeft { parts.append("about \(duration(secondsLeft)) left") }
        return parts
    }

    private var noticeLines: [String] {
        notices.map { "          note: \(VisibleText($0, limit: 800))" }
    }

    /// The same for `--json`.
    public var json: JSONValue {
        func number(_ value: UInt64?) -> JSONValue {
            value.map { .integer(Int(clamping: $0)) } ?? .null
        }
        return .object([
            .init("phase", .string(phase.name)), .init("sentence", .string(phase.sentence)),
            .init("remark", .string(remark)), .init("height", .integer(Int(height))),
            .init("tipTime", .integer(Int(tipTime))),
            .init("filterHeight", .integer(Int(filterHeight))),
            .init("scannedHeight", .integer(Int(scannedHeight))),
            .init("place", .integer(Int(place))), .init("blocksLeft", .integer(Int(blocksLeft))),
            .init("blocksPer1000Seconds", number(rate)), .init("bytesLeft", number(bytesLeft)),
            .init("secondsLeft", number(secondsLeft)), .init("filterBytes", number(filterBytes)),
            .init("keptBytes", number(keptBytes)), .init("peers", .integer(Int(peers))),
            .init("seats", .integer(Int(seats))), .init("wallets", .integer(Int(wallets))),
            .init("notices", .array(notices.map { .string($0) })),
        ])
    }
}

/// Bytes in the largest unit that leaves a number above 1.
func bytesText(_ bytes: UInt64) -> String {
    let units: [(UInt64, String)] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")]
    guard let unit = units.first(where: { bytes >= $0.0 }) else { return "\(bytes) B" }
    return "\(bytes / unit.0).\(bytes % unit.0 * 10 / unit.0) \(unit.1)"
}

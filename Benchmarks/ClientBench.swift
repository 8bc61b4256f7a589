import Bitcoin
import Chain
import Descriptors
import Glibc
import LinuxIO
import Messages
import NetworkCore
import NetworkStore
import NetworkTransport
import PeerMessages
import ScriptedPeer

/// Figures of the light client: the real process with a peer over TCP, beside the bare cost of the same
/// headers and filters in this process; and the memory that a flood of small messages takes.
enum ClientBench {
    static func run(blocks: Int, elements: Int, directory: String) throws {
        let chain = try SyntheticChain(blocks: blocks, elements: elements)
        let scripts = try (0..<120).map { try chain.descriptor.output(at: $0).scriptPubKey }
        let raw = try chain.raw(scripts: scripts)
        let peer = try ScriptedPeer(
            chain.served, messageStart: ChainParameters(.regtest).messageStart)
        try prepare(chain, peer.listener, directory)
        let bytes = chain.served.filters.reduce(0) { $0 + $1.count }
        print(
            "\(blocks) blocks, filters of \(elements) elements, \(bytes >> 20) MiB in all; seconds, "
                + "of a processor for what is in memory")

        var child = try NetworkChild(in: directory)
        let sync = try elapsed { try child.waitUntilCurrent(at: blocks) }
        show("headers and filters alone, in memory", raw.headers + raw.filters)
        show("synchronised from a peer", sync)
        try showMemory("the most memory, MiB", "VmHWM", child.pid)
        try child.stop()
        print(LibraryBench.pad("on the disk, MiB", 44), tenths(try size(of: directory) >> 10))

        child = try NetworkChild(in: directory)
        let current = try elapsed { try child.waitUntilCurrent(at: blocks) }
        show("started anew, until it can be asked", child.ready)
        show("and until it is at the tip", child.ready + current)
        try showMemory("memory after that, MiB", "VmRSS", child.pid)
        _ = try child.ask(.chain(.rescan("", from: 0)))
        show(
            "all kept filters searched again",
            try elapsed { try child.waitUntilCurrent(at: blocks) })
        show("filters alone, in memory", raw.filters)
        try showMemory("the most memory, MiB", "VmHWM", child.pid)
        try child.stop()
        print("")
        fflush(nil)
        try flood()
    }

    private static func prepare(
        _ chain: SyntheticChain, _ listener: Listener, _ directory: String
    ) throws {
        guard mkdir(directory + "/state", 0o700) == 0 else {
            throw ChildProgram.Failure(what: "\(directory) must be an empty directory")
        }
        let disk = try DirectoryDisk(Kernel.openDirectory(directory + "/state"))
        let store = try NetworkStore(disk, ChainParameters(.regtest))
        let endpoint = PeerEndpoint(.ipv4(0x7F00_0001), port: listener.port)
        try store.commit([
            .peers(.kept(PeerRecord(endpoint, source: .manual))),
            .putWallet(
                StoredWallet(
                    id: WalletID(1), name: "w", descriptors: [chain.descriptor],
                    birthday: .height(0))),
        ])
    }

    private static func size(of directory: String) throws -> Int {
        let state = try Kernel.openDirectory(directory + "/state")
        return try Kernel.names(in: state).reduce(0) { sum, name in
            var facts = stat()
            return fstatat(state.number, name, &facts, 0) == 0 ? sum + Int(facts.st_size) : sum
        }
    }

    // MARK: A flood

    /// A GiB of valid small messages over one connection, and what they leave behind.
    private static func flood() throws {
        let messageStart = ChainParameters(.regtest).messageStart
        let inventory = PeerFrame(
            .inv((0..<500).map { _ in InventoryItem(.transaction, .zero) })
        ).serialized(messageStart: messageStart)
        let many = Array(repeatElement(inventory, count: 57).joined())
        let rounds = (1 << 30) / many.count + 1
        let listener = try Listener { socket in
            for _ in 0..<rounds { guard Stream.write(socket, many) else { return } }
        }
        let connections = PeerConnections(messageStart: messageStart)
        var received = 0
        var isOver = false
        func hear(_ event: LightClientEvent) {
            switch event {
            case .traffic(_, let bytes, let skipped): received += bytes + skipped
            case .closed: isOver = true
            default: break
            }
        }
        connections.dial(
            DialID(1), .ipv4(0x7F00_0001), port: listener.port, by: .direct,
            isEncrypted: false, timeout: .seconds(10), tell: hear)
        var set = PollSet()
        var before: Int?
        let facts = ProcessFacts(getpid())
        let time = try LibraryBench.time {
            while !isOver {
                set.removeAll()
                connections.add(to: &set)
                try set.wait(until: Kernel.timeSinceBoot() + .seconds(1))
                connections.serve(set, tell: hear)
                // Once everything that is needed once is there.
                if before == nil, received > 16 << 20 {
                    before = try facts.kibibytes("VmRSS")
                }
            }
        }
        let growth = try facts.kibibytes("VmRSS") - (before ?? 0)
        let raw = RawCurve()
        let bare = LibraryBench.time {
            for _ in 0..<rounds * 57 { raw.doubleHash(Array(inventory[24...])) }
        }
        print("\(received >> 20) MiB of small messages over one connection; seconds of a processor")
        show("received", time)
        show("their checksums alone", bare)
        print(LibraryBench.pad("memory that they left behind, MiB", 44), tenths(growth))
    }

    /// By the clock, since others work while this process waits.
    private static func elapsed(_ body: () throws -> Void) rethrows -> Duration {
        let start = Kernel.timeSinceBoot()
        try body()
        return Kernel.timeSinceBoot() - start
    }

    // MARK: Text

    private static func show(_ name: String, _ time: Duration) {
        let hundredths = time.wholeNanoseconds / 10_000_000
        let cents = hundredths % 100
        print(
            LibraryBench.pad(name, 44),
            "\(hundredths / 100).\(cents < 10 ? "0" : "")\(cents)")
    }

    private static func showMemory(_ name: String, _ line: String, _ pid: Int32) throws {
        print(LibraryBench.pad(name, 44), tenths(try ProcessFacts(pid).kibibytes(line)))
    }

    /// Kibibytes as mebibytes.
    private static func tenths(_ kibibytes: Int) -> String {
        "\(kibibytes / 1024).\(kibibytes % 1024 * 10 / 1024)"
    }
}

import Bitcoin
import Chain
import Database
import Labels
import NetworkCore
import StateFiles
import TestSupport
import Testing
import Wire

@testable import NetworkStore

@Suite("Store of the network process")
struct NetworkStoreTests {
    private static let story = Story()

    /// A disk on which the story was told to its end, and the store is closed.
    private static func told() throws -> SimulatedDisk {
        let disk = SimulatedDisk()
        let store = try NetworkStore(disk, Story.parameters)
        for list in story.lists { try store.commit(list) }
        return disk
    }

    private static func copy(
        _ disk: SimulatedDisk, without missing: [String] = [],
        _ change: (String, inout [UInt8]) -> Void = { _, _ in }
    ) -> SimulatedDisk {
        let copy = SimulatedDisk()
        for (name, bytes) in disk.contents where !missing.contains(name) {
            var bytes = bytes
            change(name, &bytes)
            copy.place(name, bytes)
        }
        return copy
    }

    @Test("everything that was written comes back")
    func roundTrip() throws {
        let disk = try Self.told()
        let store = try NetworkStore(disk, Story.parameters)
        let state = try store.load()
        #expect(store.takeNotices().isEmpty)
        #expect(state.headers.height == 310)
        #expect(state.headers.hash(at: 310) == Self.story.second.last?.hash)
        #expect(state.headers.hash(at: 280) == Self.story.first[279].hash)
        #expect(state.filterHeaders.height == 280)
        #expect(state.filterHeaders.header(at: 250) == Story.filterHeaders(250..<251)[0])
        #expect(state.keptFilters.runs.map(\.heights) == [266...280])
        #expect(store.readFilters(265...267) == [nil, Story.filter(266), Story.filter(267)])
        #expect(state.wallets.map(\.name) == ["spending"])
        #expect(state.wallets[0].progress == Story.progress(280))
        #expect(state.wallets[0].transactions.isEmpty)
        #expect(state.wallets[0].issued == [0: 7])
        #expect(state.peers.records == [Story.peer])
        #expect(state.broadcasts == [Story.sent(2)] && state.broadcastDamage == nil)
    }

    /// Makes files of a person what they were when they had taken so many steps.
    private static func setBack(_ disk: SimulatedDisk, to version: Int) throws {
        let steps = [
            3: ["DROP TABLE takers"],
            4: [
                "DROP TABLE label_imports", "ALTER TABLE labels RENAME TO newer",
                """
                CREATE TABLE labels (
                    type TEXT NOT NULL, ref TEXT NOT NULL, line TEXT NOT NULL,
                    PRIMARY KEY (type, ref)) STRICT
                """,
                "INSERT INTO labels SELECT type, ref, line FROM newer", "DROP TABLE newer",
            ],
            5: ["DROP TABLE numbers"],
        ]
        for file in PersonFileNames.all {
            let schema = PersonTables.schema(of: file)
            #expect(schema.steps.count == steps.keys.max())
            let database = try Database(file, on: DiskFileSystem(disk), limits: schema.limits)
            for (step, lines) in steps where step > version {
                for line in lines { try database.run(line) }
            }
            try database.run("PRAGMA user_version=\(version)")
            try database.checkpoint()
        }
    }

    @Test(
        "a file of an older version is taken over with the highest number of its wallets, and no number that was told is used again then"
    )
    func olderNumbers() throws {
        for version in [2, 3, 4] {
            let disk = try Self.told()
            // Of the two wallets that there were, the second was removed: nobody could know its number.
            let before = try NetworkStore(Self.copy(disk), Story.parameters)
            #expect(try before.load().lastNumber == 2)
            try Self.setBack(disk, to: version)
            let store = try NetworkStore(disk, Story.parameters)
            #expect(try store.load().lastNumber == 1)
            #expect(store.takeNotices().isEmpty)
            let state = try store.load()
            try store.commit([
                .putWallet(
                    StoredWallet(
                        id: WalletID(9), name: "late", descriptors: state.wallets[0].descriptors,
                        birthday: .unknown)), .removeWallet(WalletID(9)),
            ])
            try store.reopen()
            #expect(try store.load().lastNumber == 9)
            // The copy knows it too.
            let mended = Self.copy(disk, without: [PersonFileNames.all[0]])
            let copied = try NetworkStore(mended, Story.parameters)
            #expect(try copied.load().lastNumber == 9)
        }
    }

    @Test(
        "a file of an older version is taken over with what is sent and labels, and who took it is kept then"
    )
    func olderVersion() throws {
        let disk = try Self.told()
        let line = #"{"type":"x","ref":"r","label":"l"}"# + "\n"
        let labels = try LabelFile.read(Array(line.utf8)).labels
        try NetworkStore(disk, Story.parameters).putLabels(labels)
        try Self.setBack(disk, to: 2)
        let store = try NetworkStore(disk, Story.parameters)
        var sent = Story.sent(2)
        sent.takers = []
        #expect(try store.load().broadcasts == [sent])
        #expect(try store.labels(after: nil, limit: 9) == labels)
        #expect(store.takeNotices().isEmpty)
        try store.commit([.broadcast(.taken(sent.transaction.txid, by: Story.taker))])
        try store.reopen()
        #expect(try store.load().broadcasts == [Story.sent(2)])
        try store.commit([.broadcast(.removed(sent.transaction.txid))])
        for file in PersonFileNames.all {
            let copy = Self.copy(disk)
            let limits = PersonTables.schema(of: file).limits
            let database = try Database(file, on: DiskFileSystem(copy), limits: limits)
            #expect(try database.number("SELECT count(*) FROM takers") == 0)
        }
    }

    @Test("mainnet's first 10,237 headers and filter headers come back")
    func mainnet() throws {
        var reader = Reader(try Fixture.bytes("headers/mainnet-0-10236.bin"))
        var headers: [BlockHeader] = []
        while !reader.isAtEnd { headers.append(try BlockHeader(from: &reader)) }
        reader = Reader(try Fixture.bytes("filters/mainnet-headers-0-10236.bin"))
        var filters: [FilterHeader] = []
        while !reader.isAtEnd { filters.append(FilterHeader(try reader.readBytes32())) }
        #expect(headers.count == 10_237 && filters.count == 10_237)
        let store = try NetworkStore(SimulatedDisk(), ChainParameters(.mainnet))
        try store.commit([.appendHeaders(from: 1, Array(headers.dropFirst()))])
        try store.commit([.appendFilterHeaders(from: 0, filters)])
        try store.reopen()
        let state = try store.load()
        #expect(state.headers.height == 10_236 && state.filterHeaders.height == 10_236)
        #expect(state.headers.tip.hash == headers[10_236].hash)
        #expect(filters.indices.allSatisfy { state.filterHeaders.header(at: $0) == filters[$0] })
        #expect(store.takeNotices().isEmpty)
    }

    @Test("written twice is as written once")
    func idempotence() throws {
        let disk = SimulatedDisk()
        let store = try NetworkStore(disk, Story.parameters)
        for list in Self.story.lists {
            try store.commit(list)
            let once = Snapshot(try store.load())
            try store.commit(list)
            #expect(Snapshot(try store.load()) == once)
        }
    }

    @Test("an index that was given out never goes back")
    func issuedIndices() throws {
        let store = try NetworkStore(try Self.told(), Story.parameters)
        try store.commit([.setIssued(Story.wallet, branch: 0, index: 3)])
        try store.commit([.rollBack(above: 5), .setProgress(Story.wallet, Story.progress(5))])
        #expect(try store.load().wallets[0].issued == [0: 7])
    }

    @Test("headers that would leave a gap are refused, and nothing of their list is written")
    func gaps() throws {
        let store = try NetworkStore(SimulatedDisk(), Story.parameters)
        let fault = thrown(StoreFault.self) {
            try store.commit([
                .appendHeaders(from: 1, Array(Self.story.first[..<10])),
                .appendHeaders(from: 12, Array(Self.story.first[11..<20])),
            ])
        }
        #expect(fault != nil)
        #expect(try store.load().headers.height == 0)
    }

    @Test("another chain's files, and those of a newer version, are refused")
    func otherChains() throws {
        let disk = try Self.told()
        let other = thrown(StoreRefusal.self) { try NetworkStore(disk, ChainParameters(.signet)) }
        #expect(other?.description.contains("regtest, not signet") == true)
        let own = ChainParameters(signetChallenge: Script([0x51]))
        let signet = SimulatedDisk()
        _ = try NetworkStore(signet, own)
        let public_ = thrown(StoreRefusal.self) {
            try NetworkStore(signet, ChainParameters(.signet))
        }
        #expect(public_ != nil)
        _ = try NetworkStore(signet, own)
    }

    // MARK: Damage

    @Test("a damaged page of the chain is told, and only public data is begun anew")
    func damagedChain() throws {
        let disk = Self.copy(try Self.told()) { name, bytes in
            if name == "chain.db" { bytes[4 * 4096 + 77] ^= 0x10 }
        }
        let store = try NetworkStore(disk, Story.parameters)
        let state = try store.load()
        let notices = store.takeNotices()
        #expect(notices.count == 1)
        #expect(notices[0].hasPrefix("page 5 of chain.db is not what was written there"))
        #expect(state.headers.height == 0)
        #expect(state.wallets.map(\.name) == ["spending"])
        #expect(state.wallets[0].issued == [0: 7])
        #expect(state.wallets[0].progress == nil)
    }

    @Test("a header that breaks a rule ends the chain below it")
    func wrongHeader() throws {
        let disk = SimulatedDisk()
        let store = try NetworkStore(disk, Story.parameters)
        var headers = Self.story.first
        headers[255].time = 0
        try store.commit([.appendHeaders(from: 1, headers)])
        try store.commit([.appendFilterHeaders(from: 0, Story.filterHeaders(0..<301))])
        let state = try store.load()
        #expect(state.headers.height == 255)
        #expect(state.filterHeaders.height == state.headers.height)
        #expect(store.takeNotices().count == 1)
        #expect(Snapshot(try store.load()) == Snapshot(state))
        #expect(store.takeNotices().isEmpty)
    }

    @Test("a damaged, cut or missing file of wallets is made anew from its copy")
    func damagedWallets() throws {
        let told = try Self.told()
        for file in ["wallets.db", "wallets-copy.db"] {
            let length = told.contents[file]?.count ?? 0
            #expect(length > 4096)
            var disks = stride(from: 1, to: length, by: 1499).map { place in
                Self.copy(told) { name, bytes in if name == file { bytes[place] ^= 4 } }
            }
            disks += stride(from: 1, to: length, by: 3001).map { count in
                Self.copy(told) { name, bytes in
                    if name == file { bytes = Array(bytes.prefix(count)) }
                }
            }
            disks.append(Self.copy(told, without: [file]))
            var noticed = 0
            for disk in disks {
                let store = try NetworkStore(disk, Story.parameters)
                let state = try store.load()
                #expect(state.wallets.map(\.name) == ["spending"])
                #expect(state.wallets[0].issued == [0: 7])
                // A page that nothing is on any more may be anything.
                let notices = store.takeNotices().count
                #expect(notices <= 1)
                noticed += notices
                try store.reopen()
                #expect(store.takeNotices().isEmpty)
            }
            #expect(noticed >= disks.count - 2)
        }
    }

    @Test(
        "a file that was cut anywhere is told, keeps what a person said, and is whole again",
        arguments: PersonFileNames.all + ["chain.db", "filters.db", "peers.db"])
    func cut(file: String) throws {
        let told = try Self.told()
        let whole = Snapshot(try NetworkStore(told, Story.parameters).load())
        let length = told.contents[file]?.count ?? 0
        #expect(length >= 2 * 4096)
        // Around every border of pages, all through the last one, and here and there between.
        let borders = stride(from: 4096, to: length, by: 4096)
        var lengths = Set(borders.flatMap { [$0 - 1, $0, $0 + 1] })
        lengths.formUnion(stride(from: length - 4096, to: length, by: 131))
        lengths.formUnion(stride(from: 0, to: length, by: 2333))
        var losses = 0
        for length in lengths.sorted() {
            let place = Comment(rawValue: "\(file) cut to \(length) bytes")
            let disk = Self.copy(told) { name, bytes in
                if name == file { bytes = Array(bytes.prefix(length)) }
            }
            let store = try NetworkStore(disk, Story.parameters)
            let state = try store.load()
            let notices = store.takeNotices()
            let found = Snapshot(state)
            #expect(found.person == whole.person, place)
            #expect(state.wallets.map(\.name) == ["spending"], place)
            // What is not whole is gone, and said to be.
            if file == "chain.db" {
                #expect([0, 310].contains(state.headers.height), place)
            } else {
                #expect(found.found == whole.found, place)
            }
            if state.headers.height == 0 || state.peers.records.isEmpty
                || store.readFilters(270...270) == [nil]
            {
                losses += 1
                #expect(notices.count == (length == 0 ? 0 : 1), place)
            }
            try store.commit(Self.story.lists[0])
            try store.reopen()
            #expect(store.takeNotices().isEmpty, place)
        }
        #expect(lengths.count > 20)
        #expect(PersonFileNames.all.contains(file) || losses > 10)
    }

    @Test("an older copy is brought up to date")
    func olderCopy() throws {
        let disk = try Self.told()
        let older = try #require(disk.contents["wallets-copy.db"])
        let store = try NetworkStore(disk, Story.parameters)
        try store.commit([.setIssued(Story.wallet, branch: 0, index: 9)])
        for stale in PersonFileNames.all {
            let copy = Self.copy(disk) { name, bytes in if name == stale { bytes = older } }
            let state = try NetworkStore(copy, Story.parameters).load()
            #expect(state.wallets[0].issued == [0: 9])
        }
    }

    @Test("wallets that are in neither file are never lost silently")
    func lostWallets() throws {
        let told = try Self.told()
        let damaged = Self.copy(told) { name, bytes in
            if name.hasPrefix("wallets") { bytes[2 * 4096 + 5] ^= 1 }
        }
        let before = damaged.contents
        let refusal = thrown(StoreRefusal.self) { try NetworkStore(damaged, Story.parameters) }
        guard case .lost(let problems) = refusal else {
            Issue.record("not refused")
            return
        }
        #expect(problems.map(\.file) == PersonFileNames.all)
        #expect(damaged.contents == before)
        let missing = Self.copy(told, without: PersonFileNames.all)
        let store = try NetworkStore(missing, Story.parameters)
        _ = try store.load()
        #expect(store.takeNotices().contains { $0.contains("wallets that were watched (1)") })
    }

    @Test("damaged filters and peers are told and cost nothing else")
    func damagedFilters() throws {
        for file in ["filters.db", "peers.db"] {
            let disk = Self.copy(try Self.told()) { name, bytes in
                guard name == file else { return }
                for page in 1..<bytes.count / 4096 { bytes[page * 4096 + 9] ^= 1 }
            }
            let store = try NetworkStore(disk, Story.parameters)
            let state = try store.load()
            #expect(store.readFilters(270...270).count == 1)
            #expect(state.headers.height == 310 && state.wallets.count == 1)
            #expect(store.takeNotices().count == 1)
        }
    }

    // MARK: Labels

    @Test("labels are kept in both files, in pages, and replaced by what they are about")
    func labels() throws {
        let disk = SimulatedDisk()
        let store = try NetworkStore(disk, Story.parameters)
        let lines = (0..<25).map {
            "{\"type\":\"x\($0 / 10)\",\"ref\":\"r\($0)\",\"label\":\"l\($0)\"}\n"
        }
        let labels = try LabelFile.read(Array(lines.joined().utf8)).labels
        try store.putLabels(labels)
        var changed = labels[3]
        changed.text = "other"
        try store.putLabels([changed])
        try store.removeLabel(of: labels[4].subject)
        let copy = Self.copy(disk, without: ["wallets.db"])
        let reopened = try NetworkStore(copy, Story.parameters)
        var all: [Label] = []
        while true {
            let page = try reopened.labels(after: all.last?.subject, limit: 7)
            if page.isEmpty { break }
            #expect(page.count <= 7)
            all += page
        }
        #expect(Set(all) == Set(labels).subtracting([labels[3], labels[4]]).union([changed]))
        #expect(try reopened.label(of: changed.subject)?.text == "other")
    }
}

/// The two files that hold what a person said.
enum PersonFileNames {
    static let all = ["wallets.db", "wallets-copy.db"]
}

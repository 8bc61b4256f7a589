import Bitcoin
import Chain
import Hashing
import Testing
import Wire

@testable import NetworkCore
@testable import PeerMessages

@Suite("Disputes over filters")
struct FilterDisputeTests {
    private let peers = (1...5).map { PeerID(UInt64($0)) }

    /// A block that pays three scripts and spends one that it does not show.
    private let block: Block = {
        func pay(_ byte: UInt8) -> TransactionOutput {
            TransactionOutput(value: .zero, scriptPubKey: Script([0x51, byte]))
        }
        let coinbase = Transaction(
            inputs: [TransactionInput(outpoint: .null)], outputs: [pay(1), pay(2)])
        let spend = Transaction(
            inputs: [TransactionInput(outpoint: OutPoint(txid: Txid(.zero), vout: 1))],
            outputs: [pay(3)])
        return Block(header: Network.regtest.genesis, transactions: [coinbase, spend])
    }()
    private let spent = Script([0x51, 9])

    private func filter(paying bytes: [UInt8] = [1, 2, 3], spending: [Script]) -> [UInt8] {
        let scripts = bytes.map { Script([0x51, $0]) } + spending
        let empty = Block(header: block.header, transactions: [])
        return CompactFilter(block: empty, spent: scripts).bytes
    }

    private func header(_ filter: [UInt8]) -> FilterHeader {
        FilterHash(SHA256.doubleHash(filter)).header(after: .beforeGenesis)
    }

    /// A dispute in which each filter is named by some peers, each in its own /16, all of seeds unless
    /// another source is told.
    private func dispute(
        _ claims: [([UInt8], [Int])], groups: [Int: UInt32] = [:], sources: [Int: PeerSource] = [:]
    ) -> FilterDispute {
        var candidates: [FilterHeader: Set<PeerID>] = [:]
        for (filter, names) in claims { candidates[header(filter)] = Set(names.map { peers[$0] }) }
        let kinds = Dictionary(
            uniqueKeysWithValues: peers.enumerated().map { place, id in
                let group = PeerHost.ipv4((groups[place] ?? UInt32(place + 1)) << 16).group
                return (id, PeerKind(group: group, source: sources[place] ?? .dnsSeed))
            })
        var dispute = FilterDispute(
            block: block.header.hash, height: 7, previous: .beforeGenesis, candidates: candidates,
            kinds: kinds)
        #expect(dispute.outcome == nil)
        for (filter, names) in claims where !names.isEmpty {
            let isAsNamed = dispute.received(filter: filter, from: peers[names[0]])
            #expect(isAsNamed)
        }
        return dispute
    }

    @Test("Who leaves out what the block pays is a liar, even against two of them")
    func omission() {
        let honest = filter(spending: [spent])
        let lie = filter(paying: [1, 3], spending: [spent])
        var dispute = dispute([(honest, [0]), (lie, [1, 2])])
        #expect(dispute.outcome == nil)
        dispute.received(block: block)
        #expect(
            dispute.outcome
                == .init(winner: header(honest), liars: [peers[1], peers[2]], rested: []))
    }

    @Test("Where everything is known the true filter stands and all others are lies")
    func proven() {
        let honest = filter(spending: [spent])
        let lie = filter(spending: [Script([0x51, 8])])
        var dispute = dispute([(honest, [0]), (lie, [1, 2, 3])])
        dispute.received(block: block, known: [OutPoint(txid: Txid(.zero), vout: 1): spent])
        #expect(
            dispute.outcome
                == .init(winner: header(honest), liars: [peers[1], peers[2], peers[3]], rested: []))
    }

    @Test("What the block leaves open the groups decide, without a ban; a tie decides nothing")
    func undecided() {
        let first = filter(spending: [spent])
        let second = filter(spending: [Script([0x51, 8])])
        var most = dispute([(first, [0, 1]), (second, [2])])
        most.received(block: block)
        #expect(
            most.outcome == .init(winner: header(first), liars: [], rested: [peers[2]]))
        var tie = dispute([(first, [0]), (second, [2])])
        tie.received(block: block)
        #expect(tie.outcome == .init(winner: nil, liars: [], rested: [peers[0], peers[2]]))
        // Three addresses of one operator have one voice.
        var crowd = dispute(
            [(first, [0, 1]), (second, [2, 3, 4])], groups: [2: 99, 3: 99, 4: 99])
        crowd.received(block: block)
        #expect(crowd.outcome?.winner == header(first))
        #expect(crowd.outcome?.rested == [peers[2], peers[3], peers[4]])
    }

    @Test(
        "criterion 14: one source outvotes nobody of another, however many groups it has")
    func oneSource() {
        let honest = filter(spending: [spent])
        let lie = filter(spending: [Script([0x51, 8])])
        let claims = [(honest, [0]), (lie, [1, 2, 3])]
        for source in [PeerSource.manual, .signedList] {
            var outvoted = dispute(claims, sources: [0: source])
            outvoted.received(block: block)
            #expect(outvoted.outcome == .init(winner: nil, liars: [], rested: Set(peers[..<4])))
            // With one of another source on both sides the groups decide.
            var mixed = dispute(claims, sources: [0: source, 3: source])
            mixed.received(block: block)
            #expect(mixed.outcome?.winner == header(lie))
            #expect(mixed.outcome?.rested == [peers[0]])
        }
        // What only we held has no source.
        var held = dispute([(honest, [0, 1]), (lie, [])])
        held.received(block: block)
        #expect(held.outcome?.winner == header(honest))
    }

    @Test("Who sends another filter than it named is found out, and another peer may show it")
    func otherFilter() {
        let honest = filter(spending: [spent])
        let lie = filter(paying: [1, 3], spending: [spent])
        var dispute = FilterDispute(
            block: block.header.hash, height: 7, previous: .beforeGenesis,
            candidates: [header(honest): [peers[0]], header(lie): [peers[1], peers[2]]],
            kinds: [:])
        #expect(dispute.missing == [peers[0], peers[1]])
        let isSwapped = dispute.received(filter: honest, from: peers[1])
        #expect(!isSwapped)
        dispute.remove(peers[1])
        #expect(dispute.missing == [peers[0], peers[2]])
        let isAsNamed = dispute.received(filter: honest, from: peers[0])
        #expect(isAsNamed)
        dispute.remove(peers[2])
        #expect(dispute.missing.isEmpty)
        dispute.received(block: block)
        #expect(dispute.outcome == .init(winner: header(honest), liars: [], rested: []))
    }

    @Test("What only we held falls if nobody can show it, unless all others are refuted")
    func pinned() {
        let honest = filter(spending: [spent])
        let lie = filter(paying: [1, 3], spending: [spent])
        var challenged = dispute([(lie, [0, 1]), (honest, [])])
        challenged.received(block: block)
        #expect(
            challenged.outcome
                == .init(winner: header(honest), liars: [peers[0], peers[1]], rested: []))
        var dispute = dispute([(honest, [0]), (filter(paying: [1], spending: []), [])])
        dispute.received(block: block)
        #expect(dispute.outcome?.winner == header(honest))
    }

    private func expect(
        _ vote: inout FilterVote, _ answer: FilterHashes, from place: Int,
        is misfit: FilterVote.Misfit?
    ) {
        let found = vote.received(answer, from: peers[place])
        #expect(found == misfit)
    }

    @Test("Answers are compared up to the first height where they differ")
    func vote() {
        let hashes = (0..<10).map { number in
            FilterHash(Bytes32 { $0.storeBytes(of: UInt64(number), as: UInt64.self) })
        }
        let stop = BlockHash(.zero)
        let base = FilterHeader(hashes[5].bytes)
        func answer(_ changed: Int?) -> FilterHashes {
            var list = hashes
            if let changed { list[changed] = FilterHash(.zero) }
            if changed == 0 { list[0] = hashes[1] }
            return FilterHashes(stop: stop, previous: base, hashes: list)
        }
        var vote = FilterVote(range: 100...109, stop: stop, previous: base, reference: nil)
        expect(&vote, answer(nil), from: 0, is: nil)
        expect(&vote, answer(nil), from: 1, is: nil)
        #expect(vote.difference { _ in nil } == nil)
        expect(&vote, answer(4), from: 2, is: nil)
        expect(&vote, answer(7), from: 3, is: nil)
        let difference = vote.difference { _ in nil }
        #expect(difference?.height == 104)
        #expect(
            Set(difference?.candidates.values.map { $0 } ?? [])
                == [[peers[0], peers[1], peers[3]], [peers[2]]])
        var short = answer(nil)
        short.hashes.removeLast()
        expect(&vote, short, from: 4, is: .wrongRange)
        var other = answer(nil)
        other.previous = .beforeGenesis
        expect(&vote, other, from: 4, is: .otherPrevious)
        var bound = FilterVote(range: 100...109, stop: stop, previous: base, reference: base)
        expect(&bound, answer(nil), from: 4, is: .missesReference)
        let held = vote.difference { $0 == 101 ? base : nil }
        #expect(held?.height == 101 && held?.candidates[base] == [])
    }
}

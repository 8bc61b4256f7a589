import Bitcoin
import CLibcrypto
import Chain
import NetworkCore
import PeerEncryption
import PeerMessages
import Wire

extension FuzzTarget {
    /// What people write, publishers sign, resolvers and proxies answer, and peers say in a session.
    func checkNetwork(_ bytes: [UInt8]) {
        switch self {
        case .peerEndpoint: checkEndpoint(bytes)
        case .signedPeerList: checkList(bytes)
        case .dnsAnswer: checkDNS(bytes)
        case .socks5: checkSOCKS5(bytes)
        case .nameServers: checkNameServers(bytes)
        case .peerSession: checkSession(bytes)
        case .encryptedPeer: checkEncryption(bytes)
        default: expect(false)
        }
    }

    /// What is read is printed so that it is read again.
    private func checkEndpoint(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let endpoint = try? PeerEndpoint(text, defaultPort: 8333) else { return }
        expect(endpoint.isUsable && endpoint.host.way != nil)
        expect((try? PeerEndpoint(endpoint.description, defaultPort: 1)) == endpoint)
    }

    /// The input is the list without its signature, which is put behind it, so that more than the
    /// signature is tried. The input as it is, is never taken.
    private func checkList(_ bytes: [UInt8]) {
        let publisher = FuzzPublisher.only
        let mainnet = ChainParameters(.mainnet)
        func read(_ file: [UInt8]) -> SignedPeerList? {
            try? SignedPeerList(
                file, for: mainnet, trusted: [publisher.key], clock: 1_796_040_005, tip: nil)
        }
        expect(read(bytes) == nil)
        guard let list = read(publisher.signed(bytes)) else { return }
        expect(list.peers.count >= SignedPeerList.fewest)
        expect(Set(list.peers).count == list.peers.count)
        let blocks = list.peers.filter { $0.host.way == .clearnet }.map(\.host.group)
        expect(Set(blocks).count == blocks.count)
        expect(list.peers.allSatisfy { $0.host.isPublic })
    }

    /// The first byte chooses the question.
    private func checkDNS(_ bytes: [UInt8]) {
        let type: DNSMessage.RecordType = (bytes.first ?? 0) & 1 == 0 ? .a : .aaaa
        let answer = Array(bytes.dropFirst())
        guard
            let addresses = try? DNSMessage.addresses(in: answer, to: "www.example.com", type)
        else { return }
        expect(addresses.count <= DNSMessage.mostAddresses)
        expect(addresses.allSatisfy { $0.count == (type == .a ? 4 : 16) })
    }

    /// The answers of a proxy come to the same end whole and byte by byte, unless they come too early.
    private func checkSOCKS5(_ bytes: [UInt8]) {
        guard var conversation = try? SOCKS5(host: "example.onion", port: 8333) else { return }
        for byte in bytes {
            guard let step = try? conversation.receive([byte]) else { return }
            if case .open(let rest) = step {
                expect(rest.isEmpty)
                return
            }
        }
    }

    /// Each server is an address, and as a line of its own is read again.
    private func checkNameServers(_ bytes: [UInt8]) {
        let hosts = NameServers.read(String(decoding: bytes, as: UTF8.self))
        expect(hosts.count <= NameServers.most)
        let lines = hosts.map { "nameserver \($0)" }.joined(separator: "\n")
        expect(NameServers.read(lines) == hosts)
    }

    /// The first byte says where in a connection the rest comes: in place of the key, behind it, or in
    /// an open session. Whole or byte by byte, it ends the same way, and nothing of it is contents:
    /// the fuzzer knows no key. Where the library has no ElligatorSwift there is nothing to try.
    private func checkEncryption(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let rest = Array(bytes.dropFirst())
        let whole = encryptionEnd(of: rest, at: first % 3, step: max(1, rest.count))
        expect(whole == encryptionEnd(of: rest, at: first % 3, step: 1))
    }

    /// Whether the connection breaks; nil where there is none.
    private func encryptionEnd(of bytes: [UInt8], at place: UInt8, step: Int) -> Bool? {
        var random = Counter()
        let (start, limit) = ([0xFA, 0xBF, 0xB5, 0xDA] as [UInt8], 1 << 12)
        guard
            let client = EncryptedConnection(
                role: .initiator, messageStart: start, limit: limit, random: &random),
            let server = EncryptedConnection(
                role: .responder, messageStart: start, limit: limit, random: &random)
        else { return nil }
        var contents: [[UInt8]] = []
        do throws(EncryptionError) {
            if place > 0 {
                let answer = try server.receive(client.opening, into: &contents)
                let opening = server.opening.prefix(place == 1 ? 64 : .max)
                _ = try client.receive(opening, into: &contents)
                if place == 2 { _ = try client.receive(answer, into: &contents) }
                expect((client.session != nil) == (place == 2))
            }
            for start in stride(from: 0, to: bytes.count, by: step) {
                let part = bytes[start..<min(start + step, bytes.count)]
                _ = try client.receive(part, into: &contents)
                expect(client.heldBytes <= 2 * (limit + 4111 + 64))
            }
        } catch {
            expect(contents.isEmpty)
            return true
        }
        expect(contents.isEmpty)
        return false
    }

    /// The first byte says how the stream is cut up. A session ends once, and then is silent.
    private func checkSession(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let stream = Array(bytes.dropFirst())
        var decoder = PeerFrameDecoder(
            messageStart: Network.mainnet.messageStart, wanted: Set(PeerMessageKind.allCases))
        var session = PeerSession(
            PeerSession.Introduction(nonce: 1, ownNonces: []), throughGateway: false, at: .zero)
        var now = Duration.zero
        var ends = 0
        let step = max(1, Int(first))
        for start in stride(from: 0, to: stream.count, by: step) {
            var frames: [PeerFrame] = []
            var isBroken = false
            stream[start..<min(start + step, stream.count)].withUnsafeBytes { part in
                do throws(PeerViolation) { try decoder.feed(part, into: &frames) } catch {
                    isBroken = true
                }
            }
            now += .seconds(step)
            for frame in frames {
                guard let message = try? frame.message() else { return }
                let actions = session.received(message, at: now) + session.time(random: 2, at: now)
                expect(ends == 0 || actions.isEmpty)
                for case .end in actions { ends += 1 }
                if session.isReady {
                    _ = session.send(.getheaders(GetHeaders(locator: [])), at: now)
                }
            }
            expect(ends <= 1)
            if isBroken { return }
        }
    }
}

/// The same numbers each time.
private struct Counter: RandomNumberGenerator {
    private var state: UInt64 = 1

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state
    }
}

/// Signs what the fuzzer invents.
private struct FuzzPublisher: Sendable {
    static let only = FuzzPublisher()

    let key: Bytes32
    private static let secret = [UInt8](repeating: 1, count: 32)

    private init() {
        let pair = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, FuzzPublisher.secret, 32)
        defer { EVP_PKEY_free(pair) }
        key = Bytes32 { out in
            var count = 32
            EVP_PKEY_get_raw_public_key(
                pair, out.baseAddress?.assumingMemoryBound(to: UInt8.self), &count)
        }
    }

    func signed(_ body: [UInt8]) -> [UInt8] {
        let pair = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, FuzzPublisher.secret, 32)
        defer { EVP_PKEY_free(pair) }
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        EVP_DigestSignInit(context, nil, nil, nil, pair)
        var signature = [UInt8](repeating: 0, count: 64)
        var count = 64
        let message = Array("bulkhead/1/peer-list\0".utf8) + body
        EVP_DigestSign(context, &signature, &count, message, message.count)
        let line = "signature \(key) \(Hex.encode(signature))\n"
        return body + Array(line.utf8)
    }
}

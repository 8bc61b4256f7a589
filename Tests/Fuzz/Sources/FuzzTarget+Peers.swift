import Bitcoin
import Chain
import PeerMessages
import Wire

extension FuzzTarget {
    /// What peers send: messages, their framing, filters.
    func checkPeers(_ bytes: [UInt8]) {
        switch self {
        case .compactFilter: checkFilter(bytes)
        case .peerMessage: checkMessage(bytes)
        case .peerFrames: checkStream(bytes)
        default: expect(false)
        }
    }

    /// Whatever is read has as many elements as it says, and a matcher agrees that it is whole.
    private func checkFilter(_ bytes: [UInt8]) {
        guard let filter = try? CompactFilter(bytes) else { return }
        let block = BlockHash(.zero)
        let scripts = (0..<40).map { Script([UInt8](repeating: UInt8($0), count: 22)) }
        var matcher = FilterMatcher(WatchedScripts(scripts))
        let isMatch = try? matcher.matches(filter, block: block)
        guard let elements = try? filter.elements() else { return }
        expect(elements.count == filter.count && isMatch != nil)
        expect(zip(elements, elements.dropFirst()).allSatisfy { $0 <= $1 })
        for script in scripts where (try? filter.containsAll([script], block: block)) == true {
            expect(isMatch == true)
        }
    }

    /// The first byte chooses the message.
    private func checkMessage(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let kind = PeerMessageKind.allCases[Int(first) % PeerMessageKind.allCases.count]
        guard let message = try? PeerMessage(kind, payload: Array(bytes.dropFirst())) else {
            return
        }
        expect((try? PeerMessage(kind, payload: message.payload)) == message)
        expect((try? PeerFrame(contents: PeerFrame(message).contents)) == PeerFrame(message))
    }

    /// The first byte says how the stream is cut up.
    private func checkStream(_ bytes: [UInt8]) {
        guard bytes.count > 1 else { return }
        let stream = Array(bytes.dropFirst())
        let whole = decode(stream, step: stream.count)
        let cut = decode(stream, step: max(1, Int(bytes[0])))
        expect(whole.frames == cut.frames && whole.violation == cut.violation)
        for frame in whole.frames { expect(frame.payload.count <= frame.kind.limit) }
    }

    private func decode(
        _ stream: [UInt8], step: Int
    ) -> (frames: [PeerFrame], violation: PeerViolation?) {
        var decoder = PeerFrameDecoder(
            messageStart: Network.mainnet.messageStart, wanted: [.ping, .headers, .inv, .version])
        var frames: [PeerFrame] = []
        for start in stride(from: 0, to: stream.count, by: step) {
            var violation: PeerViolation?
            stream[start..<min(start + step, stream.count)].withUnsafeBytes { part in
                do throws(PeerViolation) { try decoder.feed(part, into: &frames) } catch {
                    violation = error
                }
            }
            if violation != nil { return (frames, violation) }
            expect(decoder.heldBytes < 2_000_000)
        }
        return (frames, nil)
    }
}

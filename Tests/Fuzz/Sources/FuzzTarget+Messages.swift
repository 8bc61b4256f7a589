import Messages
import Wire

extension FuzzTarget {
    /// The first byte chooses the channel and the direction, the second how the stream is cut up.
    ///
    /// However it is cut, the same frames come out and the same rule is broken; a message that is
    /// read is written with the same bytes again.
    func checkFrames(_ bytes: [UInt8]) {
        guard bytes.count > 2 else { return }
        let edge = Edge.allCases[Int(bytes[0] >> 1) % Edge.allCases.count]
        let sender: Side = bytes[0] & 1 == 0 ? .asking : .answering
        let stream = Array(bytes[2...])
        let whole = decode(stream, edge, sender, step: stream.count)
        let cut = decode(stream, edge, sender, step: max(1, Int(bytes[1])))
        expect(whole.frames == cut.frames && whole.violation == cut.violation)
        for frame in whole.frames {
            expect(frame.body.count <= frame.kind.row.limit)
            checkMessage(ConsoleRequest.self, frame)
            checkMessage(ConsoleReply.self, frame)
            checkMessage(QueryRequest.self, frame)
            checkMessage(QueryReply.self, frame)
        }
    }

    private func decode(
        _ stream: [UInt8], _ edge: Edge, _ sender: Side, step: Int
    ) -> (frames: [Frame], violation: ChannelViolation?) {
        var decoder = FrameDecoder(edge: edge, sender: sender)
        var frames: [Frame] = []
        for start in stride(from: 0, to: stream.count, by: step) {
            let part = Array(stream[start..<min(start + step, stream.count)])
            do throws(ChannelViolation) {
                try feed(&decoder, part, into: &frames)
            } catch {
                return (frames, error)
            }
        }
        return (frames, nil)
    }

    private func feed(
        _ decoder: inout FrameDecoder, _ part: [UInt8], into frames: inout [Frame]
    ) throws(ChannelViolation) {
        var violation: ChannelViolation?
        part.withUnsafeBytes { bytes in
            do throws(ChannelViolation) { try decoder.feed(bytes, into: &frames) } catch {
                violation = error
            }
        }
        if let violation { throw violation }
    }

    private func checkMessage<Set: MessageSet>(_: Set.Type, _ frame: Frame) {
        guard frame.kind.edge == Set.edge, frame.kind.row.sender == Set.sender,
            let message = try? Set(frame)
        else { return }
        expect(message.frame == frame)
    }
}

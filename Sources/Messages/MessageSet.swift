public import Wire

/// The messages of one direction of one edge. A process has the sets of its own channels only, so
/// it has no way to name what it may not say.
public protocol MessageSet: Hashable, Sendable {
    /// The channel.
    static var edge: Edge { get }
    /// The end that sends these.
    static var sender: Side { get }
    /// Which message this is.
    var kind: MessageKind { get }
    /// Appends the fields.
    func encode(into writer: inout Writer)
    /// Reads the fields of a message of this set; nil for a kind of another set.
    init?(_ kind: MessageKind, from reader: inout Reader) throws(WireError)
}

extension MessageSet {
    /// The frame that carries this message.
    public var frame: Frame {
        var writer = Writer()
        if kind.row.phase == .opening { writer.write(Catalogue.digest) }
        encode(into: &writer)
        return Frame(kind: kind, body: writer.bytes)
    }

    /// Reads a frame to its last byte.
    public init(_ frame: Frame) throws(ChannelViolation) {
        var reader = Reader(frame.body)
        if frame.kind.row.phase == .opening { try Self.compareDigest(frame.kind, &reader) }
        var message: Self?
        do throws(WireError) {
            message = try Self(frame.kind, from: &reader)
            if message != nil { try reader.finish() }
        } catch {
            throw .badBody(frame.kind, error)
        }
        guard let message else { throw .wrongDirection(frame.kind) }
        self = message
    }

    // Comes before every other field, so that another build is named as such and not as garbage.
    private static func compareDigest(
        _ kind: MessageKind, _ reader: inout Reader
    ) throws(ChannelViolation) {
        let theirs: Bytes32
        do throws(WireError) {
            theirs = try reader.readBytes32()
        } catch {
            throw .badBody(kind, error)
        }
        guard theirs == Catalogue.digest else { throw .differentBuild(theirs: theirs) }
    }
}

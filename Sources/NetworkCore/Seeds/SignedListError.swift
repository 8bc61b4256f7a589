public import PeerMessages
public import Wire

/// Why a list of peers is not used.
public enum SignedListError: Error, Hashable, Sendable {
    /// It is longer than any list is.
    case tooLong(Int)
    /// No publisher is trusted.
    case noKeys
    /// The last line is no signature.
    case noSignature
    /// It is signed by somebody who is not trusted.
    case unknownKey(Bytes32)
    /// The signature is of another text.
    case wrongSignature
    /// This line is not of the form, counted from 1.
    case line(Int)
    /// It is for another network.
    case otherNetwork(String)
    /// It was made after today.
    case fromTheFuture(String)
    /// It is out of date.
    case tooOld(String)
    /// It was made for another chain, or long ago.
    case otherHeight(found: Int, ours: Int)
    /// It has a peer twice.
    case twice(PeerEndpoint)
    /// It has two peers of one netblock.
    case sameNetblock(PeerEndpoint)
    /// It has too few peers.
    case tooFew(Int)
    /// It has too many peers of an overlay.
    case tooMany(PeerNetwork)
    /// It has no peer on the networks that are used.
    case nothingReachable
}

extension SignedListError: CustomStringConvertible {
    /// What is wrong and, where it helps, what to do.
    public var description: String {
        switch self {
        case .tooLong(let count):
            "the list has \(count) bytes, at most \(SignedPeerList.longest) are read"
        case .noKeys: "no publisher of lists is trusted: name the key of one first"
        case .noSignature: "the list does not end in a signature"
        case .unknownKey(let key): "the list is signed by \(key), which is not trusted"
        case .wrongSignature: "the signature of the list is wrong: it was changed"
        case .line(let number): "line \(number) of the list is not of the form"
        case .otherNetwork(let name): "the list is for \(name)"
        case .fromTheFuture(let date):
            "the list is of \(date), which is not yet: if the clock is behind, set it"
        case .tooOld(let date):
            "the list is of \(date), more than \(SignedPeerList.days) days old"
        case .otherHeight(let found, let ours):
            "the list was made at height \(found), this chain is at \(ours)"
        case .twice(let peer): "the list has \(peer) twice"
        case .sameNetblock(let peer): "the list has another peer in the netblock of \(peer)"
        case .tooFew(let count):
            "the list has \(counted(count, "peer")), at least \(SignedPeerList.fewest) are needed"
        case .tooMany(let network):
            "the list has more than \(SignedPeerList.mostOfOverlay) peers on \(network)"
        case .nothingReachable: "the list has no peer on the networks that are used"
        }
    }
}

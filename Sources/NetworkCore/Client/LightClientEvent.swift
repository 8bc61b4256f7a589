public import Bitcoin
public import Descriptors
public import PeerMessages
public import Watch
public import Wire

/// An attempt to reach a peer, numbered by the light client.
public struct DialID: Hashable, Sendable, Comparable {
    /// Counted from the start of the process; never used again.
    public let number: UInt64
    /// An attempt by its number.
    public init(_ number: UInt64) { self.number = number }

    /// Orders by age.
    public static func < (left: DialID, right: DialID) -> Bool { left.number < right.number }
}

/// The way to a peer.
public enum DialRoute: Hashable, Sendable {
    /// From this machine.
    case direct
    /// Through a SOCKS5 gateway, which is told the destination by its name.
    case gateway(Overlay)

    /// What a gateway leads to.
    public enum Overlay: Hashable, Sendable, CaseIterable {
        /// Tor.
        case tor
        /// I2P.
        case i2p
    }
}

/// Why a peer was not reached, as far as anybody can tell here.
public struct DialFailure: Error, Hashable, Sendable {
    /// What kind of failure it is.
    public enum Kind: Hashable, Sendable {
        /// No connection came up in time.
        case timeout
        /// The peer, or the network on the way, refused.
        case refused
        /// The gateway is not there, or is none. The peer is not to blame.
        case gateway
        /// This machine has no way to addresses of this kind. The peer is not to blame.
        case noNetwork
    }

    /// What kind of failure it is.
    public let kind: Kind
    /// What happened, for a log.
    public let sentence: String

    /// A failure by its parts.
    public init(_ kind: Kind, _ sentence: String) {
        self.kind = kind
        self.sentence = sentence
    }
}

/// How bytes travel between a peer and here.
public enum PeerTransport: Hashable, Sendable {
    /// In the clear.
    case v1
    /// Encrypted (BIP324), in a session whose number is the same on both ends unless somebody sits
    /// between them.
    case v2(Bytes32)
}

/// Why a connection is gone.
public enum CloseReason: Hashable, Sendable {
    /// The peer closed it, or the network broke it.
    case closed(String)
    /// What came was no message: the peer broke the protocol, and the bytes prove it.
    case violation(PeerViolation)
}

/// How names are looked up.
public enum ResolveMethod: Hashable, Sendable {
    /// By a server that is asked over HTTPS.
    case https
    /// By the servers of this machine.
    case system
}

/// A look-up of a name, numbered by the light client.
public struct ResolveID: Hashable, Sendable {
    /// Counted from the start of the process.
    public let number: UInt64
    /// A look-up by its number.
    public init(_ number: UInt64) { self.number = number }
}

/// What happened to the light client.
public enum LightClientEvent: Sendable {
    /// Everything is loaded, and the loop is ready.
    case started
    /// A connection is up, or will not be.
    case dialled(DialID, Result<DialledPeer, DialFailure>)
    /// Bytes came from a peer, so many of them of messages that were skipped unread. Told of each
    /// read, before the messages that it completes: a large message may take minutes.
    case traffic(PeerID, bytes: Int, skipped: Int)
    /// A peer sent a message.
    case message(PeerID, PeerMessage)
    /// A connection is gone; one that the light client let go is not reported.
    case closed(PeerID, CloseReason)
    /// The addresses that stand behind a name; none if the look-up failed.
    case resolved(ResolveID, [PeerHost])
    /// A signed list of peers that was to be fetched.
    case listFetched(ListFetchID, Result<[UInt8], ListFetchFailure>)
    /// Kept filters that were asked for; nil where one is missing or cannot be read.
    case filtersRead(from: Int, [[UInt8]?])
    /// The changes of the last action of this kind could not be written.
    case commitFailed(StoreFault)
    /// A person, or the signer, wants something.
    case command(CommandID, ClientCommand)
    /// A deadline may have come.
    case time

    /// A connection that is up.
    public struct DialledPeer: Hashable, Sendable {
        /// Its number.
        public let id: PeerID
        /// Its transport.
        public let transport: PeerTransport

        /// A connection by its parts.
        public init(id: PeerID, transport: PeerTransport) {
            self.id = id
            self.transport = transport
        }
    }
}

/// A command, numbered by whoever passes it on.
public struct CommandID: Hashable, Sendable {
    /// Counted from the start of the process.
    public let number: UInt64
    /// A command by its number.
    public init(_ number: UInt64) { self.number = number }
}

/// What a person, or the signer, wants of the light client. What is only asked for (balances,
/// history, how far it is) is no command: `LightClient` answers it at once.
public enum ClientCommand: Hashable, Sendable {
    /// Watch these descriptors.
    case addWallet(
        name: String, [Descriptor], gapLimit: UInt32, birthday: WalletBirthday)
    /// Forget a wallet.
    case removeWallet(WalletID)
    /// Give wallets other names.
    case nameWallets([WalletID: String])
    /// Search the blocks from a height on again, for one wallet or all.
    case rescan(WalletID?, from: Int)
    /// Give out an address that was never given out.
    case issueAddress(WalletID, branch: Int)
    /// Dial a peer before all others.
    case addPeer(PeerEndpoint)
    /// Forget a peer.
    case removePeer(PeerEndpoint)
    /// Forget every peer that was not added by hand, and every ban.
    case forgetPeers
    /// Take a signed list of peers.
    case takePeerList([UInt8])
    /// Send a transaction, of this many satoshis for 1,000 virtual bytes where it is known.
    case broadcast(Transaction, feeRate: Int64?)
    /// Send a transaction no more.
    case cancelBroadcast(Txid)
    /// Look for unconfirmed transactions for so long.
    case lookForUnconfirmed(Duration)
    /// Stop looking for them.
    case lookAway
}

/// What became of a command.
public enum ClientAnswer: Hashable, Sendable {
    /// It is done, and written.
    case done
    /// The wallet is watched.
    case wallet(WalletID)
    /// The address of this script and index is given out.
    case address(Script, index: UInt32)
    /// It cannot be done.
    case refused(ClientRefusal)
}

/// Why a command cannot be done.
public enum ClientRefusal: Error, Hashable, Sendable {
    /// There is no such wallet.
    case noSuchWallet
    /// There is no such branch.
    case noSuchBranch
    /// A wallet has this name.
    case nameTaken(WalletID)
    /// A wallet has exactly these descriptors.
    case alreadyWatched(WalletID, name: String)
    /// A descriptor has no scripts that can be watched.
    case notDerivable(DerivationError)
    /// No more addresses can be given out.
    case address(AddressIssueError)
    /// The peer's address is not taken.
    case peer(AddressBook.Refusal)
    /// The list of peers is not taken.
    case peerList(SignedListError)
    /// The transaction is not taken.
    case broadcast(BroadcastRefusal)
    /// It could not be written.
    case store(StoreFault)
    /// More than can be watched at once.
    case tooMany(limit: Int)
}

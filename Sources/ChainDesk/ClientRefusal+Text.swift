import Messages
import NetworkCore

extension ClientRefusal {
    /// What kind of refusal it is.
    var kind: ChainRefusal {
        switch self {
        case .noSuchWallet, .noSuchBranch: .wallet
        case .nameTaken, .alreadyWatched, .notDerivable, .peerList: .input
        case .address: .notAllowed
        case .peer(.full), .tooMany, .broadcast(.full): .full
        case .peer: .input
        case .broadcast: .input
        case .store: .store
        }
    }

    /// What is so, and what to do.
    var sentence: String {
        switch self {
        case .noSuchWallet: "there is no such wallet any more"
        case .noSuchBranch: "the wallet has no such branch"
        case .nameTaken(let other):
            "wallet \(other.number) has this name: give another one by --name"
        case .alreadyWatched(let other, let name):
            "wallet \(other.number), \(name), watches exactly these accounts, however they are written"
        case .notDerivable(let error): "a descriptor has no addresses: \(error)"
        case .address(let error): "\(error)"
        case .peer(.unusable): "it cannot be dialled on any network that is used here"
        case .peer(.special): "its address is of a range that is not public"
        case .peer(.banned): "it is banned because it lied: bulkhead peers forget ends all bans"
        case .peer(.full): "as many peers were added by hand as are kept: remove one"
        case .peer(.configured):
            "the configuration file names this peer: take it out of peers there"
        case .peerList(let error): "\(error)"
        case .broadcast(let refusal): "\(refusal)"
        case .store(let fault): fault.sentence
        case .tooMany(let limit): "\(limit) wallets are watched, and no more can be"
        }
    }
}

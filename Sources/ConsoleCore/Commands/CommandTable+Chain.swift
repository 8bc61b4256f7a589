extension CommandTable {
    /// What is asked of the light client in the network process.
    static let chain = [
        CommandRow(
            .sync, [], "Say how far the chain is followed, or wait until it is.",
            [.untilTip, .wait]),
        CommandRow(
            .balance, ["[WALLET]"],
            "Say what the watched wallets have, from blocks that this machine searched itself."),
        CommandRow(
            .history, ["[WALLET]"],
            "List the payments of the watched wallets. No web site is asked.", [.txid]),
        CommandRow(.coins, ["[WALLET]"], "List the coins that are not spent."),
        CommandRow(
            .watchImport, ["FILE"],
            "Watch the wallet of a pairing file, as pair export and other wallets write it: addresses "
                + "only, no keys. A line with an account's zpub, ypub, vpub or upub is one, too. The "
                + "blocks since its birthday are searched.", [.name, .birthday]),
        CommandRow(
            .watchList, [],
            "List the watched wallets, how far each is searched for, and whether the signer has its keys."
        ),
        CommandRow(
            .watchRemove, ["WALLET"],
            "Watch a wallet no more. Its coins stay where they are; labels are kept, and so is which "
                + "addresses it gave out, should it be watched again; its number is not used again. A wallet "
                + "that the signer has is watched as long as it tells its accounts (watch-accounts)."
        ),
        CommandRow(
            .watchAddress, ["[WALLET]"],
            "Give out an address that this watched wallet has not given out."),
        CommandRow(
            .rescan, ["[WALLET]"], "Search the blocks from a height on again.", [.from]),
        CommandRow(
            .broadcast, ["FILE"],
            "Send a signed transaction, raw or in hexadecimal digits, to the peers, and announce it until "
                + "a block has it; - is the input. A PSBT is no transaction yet: bulkhead sign FILE "
                + "--final makes one."),
        CommandRow(
            .broadcastList, [],
            "List the transactions that are sent: since when, whether each spread, and which block has it."
        ),
        CommandRow(
            .broadcastWithdraw, ["TXID"],
            "Announce a transaction no more. Peers that have it may still pass it on."),
        CommandRow(
            .labelsExport, ["FILE"],
            "Write all labels as lines of BIP329, which other wallets read; - is the output.",
            [.force]),
        CommandRow(
            .labelsImport, ["FILE"],
            "Take labels from a file of BIP329, in place of older ones. Lines that are none are left out "
                + "and named; of the rest all are taken or, where that fails, none."),
        CommandRow(
            .labelsSet, ["TYPE", "REF", "TEXT"],
            "Label one thing: tx, addr, pubkey, input, output or xpub, by its reference as BIP329 has it."
        ),
        CommandRow(.peersList, [], "List the peers: those that are connected, known and banned."),
        CommandRow(
            .peersAdd, ["ADDRESS"],
            "Dial a peer before all others: IPv4, IPv6, .onion or .b32.i2p, and a port if it is not the "
                + "usual one."),
        CommandRow(.peersRemove, ["ADDRESS"], "Forget a peer."),
        CommandRow(
            .peersForget, [], "Forget every peer that was not added by hand, and end all bans."),
    ]
}

private let again = "Ask for the file again from who made it."
private let tampered = "Somebody may have changed this file on its way: do not sign it."

extension ReviewCheck {
    static let fileRows: [ReviewCheck: Row] = [
        .fileDamaged: Row(
            .stop, .file, "P1", "The file is one whole PSBT.", again),
        .fileTooLarge: Row(
            .stop, .file, "P8", "Neither the file nor a part of it is larger than allowed.",
            "Split the payment into several smaller ones."),
        .keyDuplicated: Row(
            .stop, .file, "P2", "No key stands twice in a map.", again),
        .keyData: Row(
            .stop, .file, "P3", "No field has key data that it must not have, and none lacks them.",
            again),
        .fieldVersion: Row(
            .stop, .file, "P4",
            "Every field belongs to the version of the PSBT, and none is missing.",
            again),
        .fieldLength: Row(
            .stop, .file, "P5", "Every value has a length that its field can have.", again),
        .fieldValue: Row(
            .stop, .file, "P4 P5", "Every value is one that its field can have.", again),
        .signatureDefaultByte: Row(
            .stop, .file, "P6", "No Schnorr signature of 65 bytes ends with 0.",
            "Ask for the signature again from who made it."),
        .amountRange: Row(
            .stop, .file, "P10", "Every amount lies between 0 and 21 million BTC.", tampered),
        .previousTransactionOther: Row(
            .stop, .file, "I1 I2",
            "Every previous transaction hashes, without its witness, to the txid that is spent, and "
                + "has the output.", tampered),
        .utxoFieldsDisagree: Row(
            .stop, .file, "I3",
            "Where a previous transaction and PSBT_IN_WITNESS_UTXO are there, they agree.",
            tampered),
        .fieldsUnknown: Row(
            .note, .transaction, "P11", "Every field has a meaning that is known here.",
            "They are kept as they are and do not change what is signed."),
    ]

    static let transactionRows: [ReviewCheck: Row] = [
        .transactionInvalid: Row(
            .stop, .transaction, "P10", "The transaction could be in a block.", again),
        .inputDuplicated: Row(
            .stop, .transaction, "I9", "No output is spent twice.", tampered),
        .amountSum: Row(
            .stop, .transaction, "P10", "All amounts together stay below 21 million BTC.", tampered),
        .versionUnknown: Row(
            .stop, .transaction, "T6", "The transaction has version 1, 2 or 3.", again),
        .versionThree: Row(
            .warn, .transaction, "T6", "The transaction has version 1 or 2.",
            "Go on if you know that the payment is to follow the rules of BIP431."),
        .lockTimeConflict: Row(
            .stop, .transaction, "T4 P4", "The lock times that inputs require go together.",
            "Spend these coins in two transactions."),
        .lockTime: Row(
            .note, .transaction, "T4", "The transaction can be in any block from now on.",
            "Wallets often set the present height here; a later one delays the payment."),
        .lockTimeWithoutEffect: Row(
            .note, .transaction, "T4", "A lock time that is set has an effect.",
            "Do not count on it: the payment can be mined at once."),
        .relativeLock: Row(
            .note, .transaction, "T4", "No input waits for the age of its coin.",
            "The payment can be mined only when the coin is as old."),
        .replaceable: Row(
            .note, .transaction, "T5", "The transaction does not announce that it may be replaced.",
            "Its fee can be raised later."),
        .stillModifiable: Row(
            .note, .transaction, "P4", "The file lets nobody add inputs or outputs.",
            "What is signed here binds all of them, so that nothing can be added afterwards."),
        .proofOfOwnership: Row(
            .stop, .transaction, "I25", "The transaction is a payment and no signed message.",
            "Use the command that signs messages."),
        .otherNetwork: Row(
            .stop, .transaction, "T7", "Every own key belongs to the network of this signer.",
            "Use the signer of the other network."),
    ]

    static let claimRows: [ReviewCheck: Row] = [
        .claimFalse: Row(
            .stop, .claims, "I10 I11 I16 O2",
            "Every key that is said to be this wallet's is derived again and is the same.",
            tampered),
        .claimOtherScript: Row(
            .stop, .claims, "I6 I10 I18 O1 O2",
            "Every own key stands in the script that its account makes of it.", tampered),
        .claimBothMaps: Row(
            .stop, .claims, "I13", "No own key is claimed for ECDSA and for taproot at once.", again
        ),
        .claimWrongMap: Row(
            .stop, .claims, "I13", "Own keys of inputs are claimed for their kind of signature.",
            again),
        .claimPath: Row(
            .stop, .claims, "P7",
            "Paths of own keys have few steps and no hardened ones below the account.", again),
        .claimSurplus: Row(
            .stop, .claims, "I10",
            "No input or output names more own keys than a script has room for.",
            tampered),
        .claimAccountUnknown: Row(
            .warn, .claims, "I10 I15",
            "Own keys lie in accounts that are known here.",
            "It is treated as somebody else's; add the account or register the policy first."),
        .claimFingerprintZero: Row(
            .warn, .claims, "I12", "Own keys are named with their fingerprint.",
            "Inputs are signed only with their fingerprint: have it put into the file."),
    ]

    static let inputRows: [ReviewCheck: Row] = [
        .nothingToSign: Row(
            .stop, .transaction, "I7 I22", "There is something to sign for a known wallet.",
            "Choose the wallet that the file was made for, or ask for the unsigned file; of one that has "
                + "all signatures, bulkhead sign --final makes the transaction."),
        .alreadySigned: Row(
            .note, .ownInputs, "I22", "No own input is signed already.",
            "It is not signed again."),
        .coinMissing: Row(
            .stop, .claims, "I7",
            "Every own input says which coin it spends, and beside own taproot every input does.",
            "Have the previous transaction put into the file."),
        .coinEmpty: Row(
            .stop, .ownInputs, "I8", "Every own input has an amount above 0.", tampered),
        .legacyUnproven: Row(
            .stop, .ownInputs, "I4",
            "Every own input from before segwit has its full previous transaction.",
            "Have the previous transaction put into the file."),
        .segwitUnproven: Row(
            .warn, .ownInputs, "I5",
            "At most one own segwit amount rests on this signature alone.",
            "Have the previous transactions put into the file: without them, signatures of two "
                + "reviews could be joined to a transaction with a far higher fee."),
        .segwitCommitted: Row(
            .note, .ownInputs, "I5", "Every own amount is proven by its previous transaction.",
            "A wrong amount would make the signature worthless, nothing else."),
        .amountContradicts: Row(
            .stop, .transaction, "I1 I3",
            "No input contradicts a previous transaction that another input carries.", tampered),
        .spendScripts: Row(
            .stop, .ownInputs, "I6 I19", "The scripts of own inputs are those of their coins.",
            again),
        .taprootFields: Row(
            .stop, .ownInputs, "I18",
            "Internal key and merkle root of own taproot inputs are those of the account.", tampered
        ),
        .internalKeyMissing: Row(
            .warn, .ownInputs, "I18", "Own taproot inputs name their internal key.",
            "It is not signed; have PSBT_IN_TAP_INTERNAL_KEY put into the file."),
        .inputPathUnusual: Row(
            .note, .ownInputs, "O7", "Own coins lie at usual paths.",
            "It can be spent; move it to a usual address when you can."),
        .walletsMixed: Row(
            .warn, .ownInputs, "I14", "One own wallet is spent from.",
            "Only the wallet that is approved signs; go on if you meant to join them."),
        .accountsMixed: Row(
            .warn, .ownInputs, "I14", "One own account is spent from.",
            "Everybody will see that the accounts belong together; go on if you meant to join them."
        ),
        .inputsForeign: Row(
            .warn, .foreignInputs, "I23 I24", "Every input is ours.",
            "Look at what leaves and comes back for you alone; sign one such file only once."),
    ]

    static let signatureRows: [ReviewCheck: Row] = [
        .sighashNotAllowed: Row(
            .stop, .ownInputs, "I21",
            "Own signatures bind the whole transaction (ALL, in taproot also DEFAULT).",
            "Ask for a file that does not set a sighash type."),
        .sighashForeign: Row(
            .note, .foreignInputs, "I21", "Signatures of others bind the whole transaction.",
            "Others may still change their part; yours stays as it is."),
        .inputFinal: Row(
            .note, .signatures, "I22", "No input is final already.",
            "Its scripts are taken as they are; the network will judge them."),
        .signaturePresent: Row(
            .note, .signatures, "I22", "No signature came with the file.",
            "It was verified."),
        .signatureWrong: Row(
            .stop, .signatures, "I22", "Every signature that came with the file is right.",
            "The file is worth nothing with it: ask its signer again."),
        .signatureUnverified: Row(
            .warn, .signatures, "I22", "Every signature that came with the file could be verified.",
            "Go on if you trust who sent it; a wrong signature makes the payment fail."),
    ]

    static let outputRows: [ReviewCheck: Row] = [
        .changePathUnusual: Row(
            .warn, .ownOutputs, "O6", "Own outputs lie at usual paths.",
            "It is counted as leaving: a wallet that is restored does not look there."),
        .changeIndexFar: Row(
            .warn, .ownOutputs, "O5",
            "Own outputs lie near the indices that are spent.",
            "Write the path down: a wallet that is restored may not look so far."),
        .changeIndexLost: Row(
            .stop, .ownOutputs, "O5", "No own output lies so far that nobody finds it again.",
            tampered),
        .changeOtherAccount: Row(
            .warn, .ownOutputs, "O3", "What comes back goes to the account that is spent from.",
            "Go on if you meant to move coins to that account."),
        .changeMany: Row(
            .warn, .ownOutputs, "O8", "There are few outputs of change.",
            "Each costs a fee to spend later; go on if you meant to split your coins."),
        .ownReceive: Row(
            .note, .ownOutputs, "O4", "What comes back uses addresses of change.",
            "It stays yours; the address is one that others may know."),
        .allOwn: Row(
            .note, .ownOutputs, "O13", "Something leaves to others.",
            "Only the fee leaves."),
        .data: Row(.note, .data, "O10", "No output carries data.", "Everybody can read it."),
        .dataLarge: Row(
            .warn, .data, "O10", "At most one output carries data, and not many.",
            "Not all nodes pass such a transaction on."),
        .dataBurns: Row(
            .warn, .data, "O10", "No output with data has an amount.",
            "The amount is lost for good."),
        .scriptUnknown: Row(
            .warn, .transaction, "O9 O11",
            "Everything that leaves goes to an address of a known kind.",
            "Compare the script with that of the recipient; perhaps nobody can spend it."),
        .outputDust: Row(
            .warn, .transaction, "O11", "No output is so small that it is not worth spending.",
            "Nodes do not pass such a transaction on."),
        .silentPayment: Row(
            .stop, .transaction, "O12", "No output is a silent payment.",
            "Nobody can see on the chain where it goes; this signer does not make them yet."),
        .recipientName: Row(
            .note, .transaction, "O9", "No output carries a name for its recipient.",
            "The name is not verified and not shown; compare the address."),
    ]

    static let feeRows: [ReviewCheck: Row] = [
        .feeNegative: Row(
            .stop, .transaction, "T1", "No more is paid than is spent.", again),
        .feeUnproven: Row(
            .warn, .transaction, "T3",
            "Every amount is proven or committed, so that the fee is known.",
            "Have the previous transactions put into the file."),
        .feeShareHigh: Row(
            .warn, .fee, "T2", "The fee is a small share of what is paid.",
            "Ask for a file with a lower feerate, unless you are in a hurry."),
        .feeShareExtreme: Row(
            .stop, .fee, "T2", "The fee is less than half of what is spent.",
            "Ask for a file with a sane fee."),
        .feerateHigh: Row(
            .warn, .feerate, "T2", "The feerate is not unusually high.",
            "Compare it with the feerates of recent blocks."),
        .feerateExtreme: Row(
            .stop, .feerate, "T2", "The feerate is not absurdly high.",
            "Ask for a file with a sane fee."),
        .feerateLow: Row(
            .note, .feerate, "T2", "Nodes pass the transaction on at this feerate.",
            "It may never be mined unless its fee is raised."),
        .feeLarge: Row(
            .warn, .fee, "T2", "The fee is no large amount by itself.",
            "Compare it with what such a payment costs today."),
        .sizeUnknown: Row(
            .note, .transaction, "T2", "The size of every input is known, and with it the feerate.",
            "Judge the fee by its amount."),
    ]
}

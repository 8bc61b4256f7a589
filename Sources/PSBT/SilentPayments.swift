import Bitcoin

extension PSBT {
    /// A shared secret for one silent payment receiver, with the proof that it is right (BIP375).
    public struct SilentPaymentShare: Hashable, Sendable {
        /// The scan key of the receiver, 33 bytes.
        public let scanKey: [UInt8]
        /// The secret key of the input, or the sum of those of all eligible inputs, times the scan
        /// key: 33 bytes.
        public let share: [UInt8]
        /// The DLEQ proof (BIP374), 64 bytes.
        public let proof: [UInt8]

        /// Puts shares and proofs with the same scan key together.
        static func pair(_ shares: [Record], _ proofs: [Record]) -> [SilentPaymentShare] {
            let proofs = Dictionary(
                proofs.map { ($0.keyData, $0.value) }, uniquingKeysWith: { first, _ in first })
            return shares.compactMap { share in
                proofs[share.keyData].map { proof in
                    SilentPaymentShare(
                        scanKey: Array(share.keyData), share: Array(share.value),
                        proof: Array(proof))
                }
            }
        }
    }

    /// The keys of a silent payment address (BIP352), without its label.
    public struct SilentPaymentAddress: Hashable, Sendable {
        /// 33 bytes.
        public let scanKey: [UInt8]
        /// 33 bytes.
        public let spendKey: [UInt8]
    }

    /// The rules of BIP375 that can be judged without curve arithmetic: a label stands beside an
    /// address, shares come with proofs, and where a silent payment script is computed nothing
    /// may be added any more.
    func checkSilentPayments() throws(PSBTError) {
        try checkPairs(
            global.map, GlobalField.silentPaymentShare, GlobalField.silentPaymentProof,
            at: .global)
        for (index, input) in inputs.enumerated() {
            try checkPairs(
                input.map, InputField.silentPaymentShare, InputField.silentPaymentProof,
                at: .input(index))
        }
        for (index, output) in outputs.enumerated() {
            let hasAddress = output.map.has(OutputField.silentPaymentAddress)
            if output.map.has(OutputField.silentPaymentLabel), !hasAddress {
                throw PSBTError(
                    .output(index), .labelWithoutAddress, OutputField.silentPaymentLabel)
            }
            let flags = global.modifiable ?? []
            if hasAddress, output.scriptPubKey != nil, !flags.isEmpty {
                throw PSBTError(
                    .global, .modifiableAfterSilentPayment(flags: flags.rawValue),
                    GlobalField.modifiable)
            }
        }
    }

    private func checkPairs<F: Field>(
        _ map: RecordMap, _ share: F, _ proof: F, at place: Place
    ) throws(PSBTError) {
        let shares = Set(map.all(share).map(\.keyData))
        let proofs = Set(map.all(proof).map(\.keyData))
        if shares != proofs { throw PSBTError(place, .shareWithoutProof, share) }
    }
}

import PSBT
import Wire

extension FuzzTarget {
    /// PSBTs by themselves and as files.
    func checkPSBT(_ bytes: [UInt8]) {
        if self == .psbtFile {
            guard let file = try? PSBTFile(bytes) else { return }
            let again = try? PSBTFile(file.answering(file.psbt))
            expect(again?.psbt == file.psbt && again?.encoding == file.encoding)
            return
        }
        guard let psbt = try? PSBT(bytes) else { return }
        expect(psbt.serialized == bytes)
        readFields(psbt)
        for version in [PSBT.Version.v0, .v2] {
            guard let converted = try? psbt.converted(to: version) else { continue }
            expect((try? PSBT(converted.serialized)) == converted)
            expect((try? converted.unsignedTransaction()) == (try? psbt.unsignedTransaction()))
        }
        guard (try? psbt.unsignedTransaction()) != nil else { return }
        expect((try? psbt.combining(psbt)) == psbt)
        expect((try? psbt.compare(answer: psbt))?.addsNothing == true)
        _ = try? psbt.finalizationReport()
        if let final = try? psbt.finalized() {
            expect((try? PSBT(final.serialized)) == final)
            _ = try? final.extracted()
        }
    }

    private func readFields(_ psbt: PSBT) {
        _ = psbt.global.extendedPublicKeys.count + psbt.global.silentPaymentShares.count
        for (index, input) in psbt.inputs.enumerated() {
            _ = try? psbt.spend(ofInput: index)
            _ = (input.derivations, input.taprootDerivations, input.taprootLeafScripts)
            _ = (input.musigParticipants, input.musigPublicNonces, input.taprootScriptSignatures)
            _ = (input.finalScriptWitness, input.silentPaymentShares, input.partialSignatures)
        }
        for output in psbt.outputs {
            _ = (output.taprootTree, output.taprootDerivations, output.musigParticipants)
            _ = (output.dnssecProof?.name, output.silentPaymentAddress)
        }
    }
}

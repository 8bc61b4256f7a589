import Bitcoin
import Descriptors

extension FuzzTarget {
    /// The parsers of module Descriptors: what is read is printed and read again as the same value.
    func checkDescriptors(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        switch self {
        case .descriptor: checkDescriptor(text)
        case .walletPolicy: checkPolicy(text)
        case .bsmsRecord: checkRecord(text)
        case .miniscriptScript: checkScript(Script(bytes))
        default: expect(false)
        }
    }

    private func checkDescriptor(_ text: String) {
        if let annotated = try? AnnotatedDescriptor(text) {
            expect((try? AnnotatedDescriptor(annotated.description)) == annotated)
        }
        guard let descriptor = try? Descriptor(text) else { return }
        expect((try? Descriptor(descriptor.description, requiringChecksum: true)) == descriptor)
        expect(descriptor.canonical.identifier == descriptor.identifier)
        _ = descriptor.maximumSpendSize
        for output in descriptor.outputs {
            guard let derived = try? output.output(at: 1, branch: output.branchCount - 1) else {
                // Keys that add up to nothing would be a find.
                expect(false)
                return
            }
            _ = derived.inputUpdate
            _ = derived.outputUpdate
        }
        if let policy = try? WalletPolicy(descriptor) {
            let keys = policy.keys.map(\.description)
            expect((try? WalletPolicy(template: policy.template, keys: keys)) == policy)
        }
    }

    /// The template in the first line, a key in each other.
    private func checkPolicy(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let template = lines.first,
            let policy = try? WalletPolicy(template: template, keys: Array(lines.dropFirst()))
        else { return }
        expect((try? WalletPolicy(policy.descriptor)) == policy)
    }

    /// What is read from a script accounts for every byte of it; nothing else is promised, since the
    /// key of `pk_h` stands there as its hash.
    private func checkScript(_ script: Script) {
        for context in [ScriptContext.wsh, .tapscript] {
            guard let miniscript = try? Miniscript(script, in: context) else { continue }
            expect(miniscript.scriptSize == script.bytes.count)
            try? miniscript.checkSanity()
        }
    }

    private func checkRecord(_ text: String) {
        if let record = try? BSMSKeyRecord(text) { expect(record.text == text) }
        if let record = try? BSMSWalletRecord(text, network: .mainnet) {
            expect(record.text == text)
        }
    }
}

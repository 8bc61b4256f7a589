public import Bitcoin
import Wire

/// What the coordinator sends to the signers in the second round of BIP129: the wallet.
public struct BSMSWalletRecord: Hashable, Sendable {
    /// The wallet; `/**` in the record's template stands for its branches.
    public let descriptor: Descriptor
    /// The first address, which all signers have to compare.
    public let firstAddress: Address
    /// The record as it was sent.
    public let text: String

    private static let noRestrictions = "No path restrictions"

    /// Reads a record and verifies that its first address is the wallet's.
    public init(_ text: String, network: Network) throws(BSMSError) {
        let lines = try bsmsLines(text, count: 4)
        let steps = try BSMSWalletRecord.steps(lines[2])
        guard lines[1].contains("/**") == (steps != nil) else { throw .template }
        do throws(DescriptorError) {
            let (body, _) = try DescriptorChecksum.strip(Array(lines[1].utf8))
            let template = String(decoding: body, as: UTF8.self)
            descriptor = try Descriptor(
                steps.map { template.replacing("/**", with: $0) } ?? template)
        } catch {
            throw .descriptor(error)
        }
        let output: DerivedOutput
        do throws(DerivationError) {
            output = try descriptor.output()
        } catch {
            throw .derivation(error)
        }
        guard let address = try? Address(lines[3], network: network),
            address.scriptPubKey == output.scriptPubKey
        else { throw .firstAddress }
        firstAddress = address
        self.text = text
    }

    /// The numbers of the wallet's keys that are this one, from 0. They are compared as a whole,
    /// with the origin: a fingerprint alone can be copied.
    public func positions(of key: KeyExpression) -> [Int] {
        descriptor.keys.flatMap(\.leafKeys).enumerated().compactMap { index, candidate in
            candidate.origin == key.origin && candidate.base == key.base ? index : nil
        }
    }

    /// What `/**` stands for, such as `/<0;1>/*` for `/0/*,/1/*`; nil for no restrictions.
    private static func steps(_ line: String) throws(BSMSError) -> String? {
        guard line != noRestrictions else { return nil }
        var numbers: [String] = []
        for path in line.split(separator: ",", omittingEmptySubsequences: false) {
            var parser = PathParser(text: Array(path.utf8)[...], offset: 0)
            guard path.hasPrefix("/"), (try? parser.parse()) != nil,
                parser.wildcard == .unhardened, parser.steps.count == 1,
                case .child(let number) = parser.steps[0], !number.isHardened
            else { throw .paths }
            numbers.append(number.description)
        }
        return numbers.count == 1
            ? "/\(numbers[0])/*" : "/<" + numbers.joined(separator: ";") + ">/*"
    }
}

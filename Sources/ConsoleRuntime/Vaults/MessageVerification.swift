import Bitcoin
import Configuration
import ConsoleCore
import JSON
import LinuxIO
import Wire

/// `bulkhead verify-message`: says whether a message was signed by an address. It needs no appliance,
/// and reads what others wrote only once it is confined.
enum MessageVerification {
    static func run(
        _ words: CommandLineWords, _ options: CommandOptions
    ) throws(CommandEnd) -> ExitCode {
        let message = try MessageSource.read(words)
        guard message.count <= MessageText.maximumCount else {
            throw .problem(.input, MessageText.Fault.tooLong(message.count).description)
        }
        // What libcrypto sets up at its first hash would be refused later.
        _ = LegacySignedMessage.hash([])
        do throws(ClientFailure) {
            _ = try ConsoleConfinement.enter(
                keeping: [1, 2], diesWithParent: false, writesFiles: true)
        } catch {
            throw .client(error)
        }
        return tell(
            try verdict(words.arguments[1], of: message, by: words.arguments[0]),
            words.arguments[0], asJSON: options.printsJSON)
    }

    /// The verdict on a signature of either kind: 65 bytes are BIP137's, all else is BIP322's.
    static func verdict(
        _ signature: String, of message: [UInt8], by text: String
    ) throws(CommandEnd) -> MessageVerdict {
        let address = try address(text)
        if (try? Base64.decode(signature))?.count == 65 {
            return LegacySignedMessage.verify(signature, message: message, address: address)
        }
        return SignedMessage.verify(
            signature, message: message, scriptPubKey: address.scriptPubKey)
    }

    /// An address of any network: its holder is the same on all of them.
    private static func address(_ text: String) throws(CommandEnd) -> Address {
        do throws(AddressError) { return try Address(text, network: .mainnet) } catch {
            for network in Network.allCases {
                if let address = try? Address(text, network: network) { return address }
            }
            throw .problem(.input, "\(VisibleText(text, limit: 100)) is no address: \(error)")
        }
    }

    private static func tell(
        _ verdict: MessageVerdict, _ address: String, asJSON: Bool
    ) -> ExitCode {
        var members: [JSONValue.Member] = [
            .init("schema", .string("bulkhead-message-verdict-1")),
            .init("address", .string(address)),
        ]
        var isValid = false
        switch verdict {
        case .valid(let lockTime, let sequence):
            isValid = true
            members += [
                .init("verdict", .string("valid")),
                .init("lockTime", .integer(Int(lockTime.rawValue))),
                .init("sequence", .integer(Int(sequence.rawValue))),
            ]
        case .invalid(let fault):
            members += [
                .init("verdict", .string("invalid")), .init("why", .string(fault.rawValue)),
            ]
        case .inconclusive(let reason):
            members += [
                .init("verdict", .string("inconclusive")), .init("why", .string(reason.rawValue)),
            ]
        }
        StandardStream.out(asJSON ? JSONValue.object(members).text + "\n" : "\(verdict)\n")
        return isValid ? .success : .finding
    }
}

/// A request to pay: a `bitcoin:` URI of BIP21 and BIP321.
///
/// Addresses are kept as text: whoever pays decodes them for the network at hand.
public struct PaymentURI: Hashable, Sendable {
    /// The address before the `?`; nil where only parameters say how to pay.
    public let address: String?
    /// The parameters in their order, decoded; none is repeated that must not be.
    public let parameters: [Parameter]

    /// One `key=value`.
    public struct Parameter: Hashable, Sendable {
        /// In lower case, without `req-`.
        public let key: String
        /// Without percent-encoding; nil where there is no `=`.
        public let value: String?
        /// Whether it was marked with `req-`: who does not understand it must not pay.
        public let isRequired: Bool

        /// Takes the parts.
        public init(key: String, value: String?, isRequired: Bool = false) {
            self.key = key
            self.value = value
            self.isRequired = isRequired
        }
    }

    /// The longest text that is read, in bytes.
    public static let maximumLength = 16_384
    /// Keys under which BIP321 puts further addresses: each is the prefix of its Bech32 texts.
    static let addressKeys = ["bc", "tb", "bcrt"]
    /// Keys that must not stand twice.
    static let singleKeys = ["amount", "label", "message", "pop"]
    /// Keys whose `req-` form this code can honour.
    static let understoodKeys = ["amount", "label", "message"] + addressKeys
    /// Schemes that a proof of payment must not open, since a browser or a shell would.
    static let forbiddenSchemes = ["http", "https", "file", "javascript", "mailto"]

    /// A request for `amount` to an address.
    ///
    /// - Precondition: the address has letters and digits only.
    public init(
        address: String, amount: Amount? = nil, label: String? = nil, message: String? = nil
    ) {
        precondition(address.utf8.allSatisfy(PaymentURI.isAlphanumeric))
        self.address = address
        let values = [("amount", amount?.shortText), ("label", label), ("message", message)]
        parameters = values.compactMap { key, value in
            value.map { Parameter(key: key, value: $0) }
        }
    }

    init(address: String?, parameters: [Parameter]) {
        self.address = address
        self.parameters = parameters
    }

    /// The amount asked for.
    public var amount: Amount? { value(of: "amount").flatMap { try? Amount(btc: $0) } }

    /// Who is paid, in the words of whoever made the URI.
    public var label: String? { value(of: "label") }

    /// What is paid for, in the words of whoever made the URI.
    public var message: String? { value(of: "message") }

    /// All addresses: the one before the `?`, then those of `bc`, `tb` and `bcrt` parameters.
    public var addresses: [String] {
        let others = parameters.filter { PaymentURI.addressKeys.contains($0.key) }
        return [address].compactMap { $0 } + others.compactMap(\.value)
    }

    /// The start of the URI that shows the payment to whoever asked for it; nil where there is none
    /// or a browser would open it.
    public var proofOfPayment: String? {
        guard let value = value(of: "pop"), let colon = value.firstIndex(of: ":") else {
            return nil
        }
        let scheme = value[..<colon].lowercased()
        return PaymentURI.forbiddenSchemes.contains(scheme) ? nil : value
    }

    private func value(of key: String) -> String? { parameters.first { $0.key == key }?.value }

    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}

extension PaymentURI: CustomStringConvertible {
    /// The URI: `bitcoin:` in small letters, parameters in their order, percent-encoding only where
    /// it is needed.
    public var description: String {
        var text = "bitcoin:" + (address ?? "")
        for (index, parameter) in parameters.enumerated() {
            text += index == 0 ? "?" : "&"
            text += (parameter.isRequired ? "req-" : "") + PaymentURI.encoded(parameter.key)
            if let value = parameter.value { text += "=" + PaymentURI.encoded(value) }
        }
        return text
    }

    /// Whether a character may stand in a parameter as it is: RFC 3986's query without `&`.
    static func isPlain(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || "-._~!$'()*+,;=:@/?".utf8.contains(byte)
    }

    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let bytes = text.utf8.flatMap { byte in
            isPlain(byte)
                ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Amount {
    /// BTC without zeros at the end: `20.3`.
    fileprivate var shortText: String {
        let text = btcText
        let end = text.lastIndex { $0 != "0" } ?? text.startIndex
        return String(text[end] == "." ? text[..<end] : text[...end])
    }
}

extension PaymentURI {
    /// Why a text is no payment URI. Positions count UTF-8 bytes from 0.
    public enum Failure: Error, Hashable, Sendable {
        /// More text than is read.
        case tooLong(found: Int, allowed: Int)
        /// It does not start with `bitcoin:`.
        case wrongScheme
        /// A character that may not stand there.
        case invalidCharacter(position: Int)
        /// A `%` without two hexadecimal digits.
        case invalidEncoding(position: Int)
        /// Encoded bytes that are not UTF-8.
        case notUTF8(position: Int)
        /// A second parameter that may stand once only.
        case repeated(key: String)
        /// A parameter marked as required that this code does not understand.
        case unknownRequired(key: String)
        /// A parameter that needs a value and has none.
        case missingValue(key: String)
        /// An amount that is none.
        case amount(Amount.TextError)
        /// An address under the key of another network.
        case wrongNetwork(key: String)
        /// Nothing that could be paid to.
        case noDestination
    }

    /// Reads a `bitcoin:` URI. Scheme and keys may be in capitals, as in many QR codes.
    public init(_ text: some StringProtocol) throws(Failure) {
        let text = Array(text.utf8.prefix(PaymentURI.maximumLength + 1))
        guard text.count <= PaymentURI.maximumLength else {
            throw .tooLong(found: text.count, allowed: PaymentURI.maximumLength)
        }
        let scheme = Array("bitcoin:".utf8)
        guard String(decoding: text.prefix(scheme.count), as: UTF8.self).lowercased() == "bitcoin:"
        else { throw .wrongScheme }
        let question = text.firstIndex(of: UInt8(ascii: "?")) ?? text.count
        guard question >= scheme.count else { throw .wrongScheme }
        let path = scheme.count..<question
        if let position = path.first(where: { !PaymentURI.isAlphanumeric(text[$0]) }) {
            throw .invalidCharacter(position: position)
        }
        var parameters: [Parameter] = []
        var start = question + 1
        while start < text.count {
            let end = text[start...].firstIndex(of: UInt8(ascii: "&")) ?? text.count
            // An empty parameter says nothing; the grammar allows it.
            if start < end {
                let parameter = try PaymentURI.parameter(text, in: start..<end)
                try PaymentURI.check(parameter, after: parameters)
                parameters.append(parameter)
            }
            start = end + 1
        }
        let ways = PaymentURI.addressKeys + ["lightning", "lno", "sp", "pay"]
        guard !path.isEmpty || parameters.contains(where: { ways.contains($0.key) }) else {
            throw .noDestination
        }
        let address = path.isEmpty ? nil : String(decoding: text[path], as: UTF8.self)
        self.init(address: address, parameters: parameters)
    }

    private static func parameter(
        _ text: [UInt8], in range: Range<Int>
    ) throws(Failure) -> Parameter {
        let equals = text[range].firstIndex(of: UInt8(ascii: "=")) ?? range.upperBound
        var key = try decoded(text, in: range.lowerBound..<equals).lowercased()
        let isRequired = key.hasPrefix("req-")
        if isRequired { key.removeFirst(4) }
        guard equals < range.upperBound else {
            return Parameter(key: key, value: nil, isRequired: isRequired)
        }
        let value = try decoded(text, in: equals + 1..<range.upperBound)
        return Parameter(key: key, value: value, isRequired: isRequired)
    }

    private static func decoded(
        _ text: [UInt8], in range: Range<Int>
    ) throws(Failure) -> String {
        var bytes: [UInt8] = []
        var position = range.lowerBound
        while position < range.upperBound {
            if text[position] == UInt8(ascii: "%") {
                guard position + 2 < range.upperBound,
                    let high = hexDigit(text[position + 1]), let low = hexDigit(text[position + 2])
                else { throw .invalidEncoding(position: position) }
                bytes.append(high << 4 | low)
                position += 3
            } else {
                guard isPlain(text[position]) else { throw .invalidCharacter(position: position) }
                bytes.append(text[position])
                position += 1
            }
        }
        guard let string = String(validating: bytes, as: UTF8.self) else {
            throw .notUTF8(position: range.lowerBound)
        }
        return string
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
    }

    private static func check(
        _ parameter: Parameter, after earlier: [Parameter]
    ) throws(Failure) {
        let key = parameter.key
        if parameter.isRequired, !understoodKeys.contains(key) {
            throw .unknownRequired(key: key)
        }
        if singleKeys.contains(key), earlier.contains(where: { $0.key == key }) {
            throw .repeated(key: key)
        }
        guard singleKeys.contains(key) || addressKeys.contains(key) else { return }
        guard let value = parameter.value else { throw .missingValue(key: key) }
        if key == "amount" {
            do throws(Amount.TextError) {
                _ = try Amount(btc: value)
            } catch {
                throw .amount(error)
            }
        }
        if addressKeys.contains(key) {
            guard value.utf8.allSatisfy(isAlphanumeric), value.lowercased().hasPrefix(key + "1")
            else { throw .wrongNetwork(key: key) }
        }
    }
}

extension PaymentURI.Failure: CustomStringConvertible {
    /// One sentence: what and where. Keys are the only part of the text it repeats; print it with
    /// control characters escaped.
    public var description: String {
        switch self {
        case .tooLong(let found, let allowed):
            "payment URI of \(found) bytes or more, at most \(allowed) allowed"
        case .wrongScheme: "a payment URI starts with bitcoin:"
        case .invalidCharacter(let position):
            "character \(position + 1) of the payment URI may not stand there"
        case .invalidEncoding(let position):
            "% at character \(position + 1) of the payment URI is not followed by two digits"
        case .notUTF8(let position):
            "the payment URI's text at character \(position + 1) is not UTF-8"
        case .repeated(let key): "the payment URI says \(key) twice"
        case .unknownRequired(let key):
            "the payment URI requires \(key), which is not understood here: do not pay it"
        case .missingValue(let key): "the payment URI's \(key) has no value"
        case .amount(let error): "the payment URI's amount: \(error)"
        case .wrongNetwork(let key): "the payment URI's \(key) holds no \(key)1 address"
        case .noDestination: "the payment URI names nothing to pay to"
        }
    }
}

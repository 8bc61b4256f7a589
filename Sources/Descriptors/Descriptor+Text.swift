import Bitcoin
import Wire

extension Descriptor: CustomStringConvertible {
    /// The canonical text with its checksum.
    public var description: String {
        let body = body
        guard let checksum = try? DescriptorChecksum.compute(body) else { return body }
        return body + "#" + checksum
    }

    /// The canonical text without checksum: `h` for hardened steps.
    public var body: String { form.text }
}

extension OutputForm where Key: CustomStringConvertible {
    /// The text of the form with its keys as they describe themselves.
    var text: String {
        switch self {
        case .bare(let script): script.text
        case .sh(let script): "sh(\(script.text))"
        case .wpkh(let key): "wpkh(\(key))"
        case .shWpkh(let key): "sh(wpkh(\(key)))"
        case .wsh(let script): "wsh(\(script.text))"
        case .shWsh(let script): "sh(wsh(\(script.text)))"
        case .tr(let key, nil): "tr(\(key))"
        case .tr(let key, let tree?): "tr(\(key),\(tree.text))"
        case .rawtr(let key): "rawtr(\(key))"
        case .combo(let key): "combo(\(key))"
        case .raw(let script): "raw(\(Hex.encode(script.bytes)))"
        case .addr(let address): "addr(\(address))"
        }
    }
}

extension Multisig where Key: CustomStringConvertible {
    fileprivate var text: String {
        let list = ([String(required)] + keys.map(\.description)).joined(separator: ",")
        return (isSorted ? "sortedmulti(" : "multi(") + list + ")"
    }
}

extension LegacyScript where Key: CustomStringConvertible {
    fileprivate var text: String {
        switch self {
        case .pk(let key): "pk(\(key))"
        case .pkh(let key): "pkh(\(key))"
        case .multisig(let multisig): multisig.text
        }
    }
}

extension WitnessScript where Key: CustomStringConvertible {
    fileprivate var text: String {
        (isSorted ? "sorted" : "") + miniscript.text(key: \.description)
    }
}

extension ScriptTree where Key: CustomStringConvertible {
    /// The leaves again with a brace for each branch.
    fileprivate var text: String {
        var text = ""
        /// The branches open at this leaf; true where it lies on the right side.
        var path: [Bool] = []
        for leaf in leaves {
            while path.count < leaf.depth {
                text += "{"
                path.append(false)
            }
            text += leaf.script.text
            while path.last == true {
                text += "}"
                path.removeLast()
            }
            if !path.isEmpty {
                text += ","
                path[path.count - 1] = true
            }
        }
        return text
    }
}

public import Wire

extension Script {
    /// Pays to a public key of 33 or 65 bytes.
    public static func p2pk(_ publicKey: [UInt8]) -> Script {
        build {
            $0.push(publicKey)
            $0.append(.checkSig)
        }
    }

    /// Pays to the HASH160 of a public key.
    public static func p2pkh(_ hash: Bytes20) -> Script {
        build {
            $0.append(.dup)
            $0.append(.hash160)
            $0.push(hash)
            $0.append(.equalVerify)
            $0.append(.checkSig)
        }
    }

    /// Pays to the HASH160 of a redeemScript (BIP16).
    public static func p2sh(_ hash: Bytes20) -> Script {
        build {
            $0.append(.hash160)
            $0.push(hash)
            $0.append(.equal)
        }
    }

    /// Pays to the HASH160 of a compressed public key (BIP141).
    public static func p2wpkh(_ hash: Bytes20) -> Script {
        build {
            $0.append(.zero)
            $0.push(hash)
        }
    }

    /// Pays to the SHA-256 of a witnessScript (BIP141).
    public static func p2wsh(_ hash: Bytes32) -> Script {
        build {
            $0.append(.zero)
            $0.push(hash)
        }
    }

    /// Pays to a taproot output key (BIP341). The key is taken as it is, already tweaked.
    public static func p2tr(outputKey: Bytes32) -> Script {
        build {
            $0.append(.one)
            $0.push(outputKey)
        }
    }

    /// Pays to a witness program of any version from 0 to 16 and 2 to 40 bytes; nil for others.
    public static func witnessProgram(version: Int, _ program: [UInt8]) -> Script? {
        guard (0...16).contains(version), (2...40).contains(program.count) else { return nil }
        return build {
            $0.push(number: Int64(version))
            $0.push(program)
        }
    }

    /// Pays to whoever spends it, for fee bumping (P2A).
    public static let p2a = Script([0x51, 0x02, 0x4E, 0x73])

    /// Asks for signatures of `required` of the keys, in their order (not sorted).
    ///
    /// - Precondition: `required` lies between 1 and the number of keys, which is at most 20.
    public static func multisig(required: Int, keys: [[UInt8]]) -> Script {
        precondition(keys.count <= 20 && (1...max(1, keys.count)).contains(required))
        return build {
            $0.push(number: Int64(required))
            for key in keys { $0.push(key) }
            $0.push(number: Int64(keys.count))
            $0.append(.checkMultiSig)
        }
    }

    /// Carries data and pays nobody.
    public static func opReturn(_ data: [UInt8]...) -> Script {
        build {
            $0.append(.return)
            for item in data { $0.push(item) }
        }
    }
}

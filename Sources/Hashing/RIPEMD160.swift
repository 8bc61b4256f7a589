import CLibcrypto
public import Wire

/// RIPEMD-160 (Dobbertin, Bosselaers, Preneel 1996), here only for Bitcoin's scripts.
public enum RIPEMD160 {
    /// The digest of `bytes`.
    public static func hash(_ bytes: UnsafeRawBufferPointer) -> Bytes20 {
        var context = RIPEMD160_CTX()
        RIPEMD160_Init(&context)
        RIPEMD160_Update(&context, bytes.baseAddress, bytes.count)
        return Bytes20 { out in
            _ = RIPEMD160_Final(out.baseAddress?.assumingMemoryBound(to: UInt8.self), &context)
        }
    }

    /// The digest of `bytes`.
    public static func hash(_ bytes: [UInt8]) -> Bytes20 { bytes.withUnsafeBytes { hash($0) } }
}

/// RIPEMD-160 of SHA-256: key hashes, script hashes, BIP32 identifiers.
public func hash160(_ bytes: UnsafeRawBufferPointer) -> Bytes20 {
    SHA256.hash(bytes).withUnsafeBytes { RIPEMD160.hash($0) }
}

/// RIPEMD-160 of SHA-256: key hashes, script hashes, BIP32 identifiers.
public func hash160(_ bytes: [UInt8]) -> Bytes20 { bytes.withUnsafeBytes { hash160($0) } }

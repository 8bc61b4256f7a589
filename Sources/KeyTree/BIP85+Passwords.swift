import Bitcoin
import Hashing
public import SecretMemory
public import Signing

extension BIP85 {
    /// A password of 20 to 86 characters of base 64, as ASCII (application 707764).
    public static func base64Password(
        master: borrowing ExtendedPrivateKey, length: Int, index: UInt32,
        _ context: borrowing SigningContext
    ) throws(Failure) -> SecretBytes {
        try check(length, 20...86)
        let digits: StaticString =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        let node = try BIP85(master: master, [707_764, UInt32(length), index], context)
        return SecretBytes(count: length) { text in
            node.withEntropy { entropy in
                for place in 0..<length {
                    var digit = 0
                    for bit in place * 6..<place * 6 + 6 {
                        // The last digit is filled up with zero bits.
                        let byte = bit < 512 ? entropy[bit / 8] : 0
                        digit = digit << 1 | Int(byte >> UInt8(7 - bit % 8) & 1)
                    }
                    text[place] = digits.utf8Start[digit]
                }
            }
        }
    }

    /// A password of 10 to 80 characters of base 85 in the order of RFC 1924, as ASCII (application
    /// 707785).
    public static func base85Password(
        master: borrowing ExtendedPrivateKey, length: Int, index: UInt32,
        _ context: borrowing SigningContext
    ) throws(Failure) -> SecretBytes {
        try check(length, 10...80)
        let digits: StaticString =
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"
        let node = try BIP85(master: master, [707_785, UInt32(length), index], context)
        return SecretBytes(count: length) { text in
            node.withEntropy { entropy in
                for place in 0..<length {
                    let group = entropy.loadUnaligned(
                        fromByteOffset: place / 5 * 4, as: UInt32.self)
                    let divisor = [52_200_625, 614_125, 7_225, 85, 1][place % 5]
                    text[place] = digits.utf8Start[Int(UInt32(bigEndian: group)) / divisor % 85]
                }
            }
        }
    }

    /// The rolls of a die, each from 0 to `sides` - 1, as ASCII numbers with commas between them
    /// (application 89101).
    ///
    /// - Parameter rolls: 1 to 1,024; the BIP allows more than anybody reads.
    public static func dice(
        master: borrowing ExtendedPrivateKey, sides: UInt32, rolls: Int, index: UInt32,
        _ context: borrowing SigningContext
    ) throws(Failure) -> SecretBytes {
        try check(rolls, 1...1024)
        try check(Int(sides), 2...Int(ChildNumber.maximumIndex))
        let node = try BIP85(master: master, [89_101, sides, UInt32(rolls), index], context)
        var stream = SecretValue(SHAKE256())
        node.withEntropy { entropy in stream.withValue { $0.seed(entropy) } }
        let bits = UInt32.bitWidth - (sides - 1).leadingZeroBitCount
        return SecretBytes(capacity: rolls * 11) { text in
            stream.withValue { stream in
                var length = 0
                for number in 0..<rolls {
                    if number > 0 {
                        text[length] = UInt8(ascii: ",")
                        length += 1
                    }
                    let roll = roll(&stream, bits: bits, sides: sides)
                    length += writeDecimal(roll, to: text, at: length)
                }
                return length
            }
        }
    }

    /// The first number below `sides` of so many bits, taken from the top of whole bytes.
    private static func roll(_ stream: inout SHAKE256, bits: Int, sides: UInt32) -> UInt32 {
        let count = (bits + 7) / 8
        while true {
            var trial: UInt32 = 0
            withUnsafeMutableBytes(of: &trial) { bytes in
                stream.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[(4 - count)...]))
            }
            let roll = UInt32(bigEndian: trial) >> UInt32(count * 8 - bits)
            if roll < sides { return roll }
        }
    }

    private static func writeDecimal(
        _ number: UInt32, to text: UnsafeMutableRawBufferPointer, at offset: Int
    ) -> Int {
        var divisor: UInt32 = 1
        while number / divisor >= 10 { divisor *= 10 }
        var length = 0
        while divisor > 0 {
            text[offset + length] = UInt8(ascii: "0") + UInt8(number / divisor % 10)
            length += 1
            divisor /= 10
        }
        return length
    }
}

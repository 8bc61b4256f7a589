/// The characters of a file that holds text: ASCII without white space.
struct PSBTFileText {
    let characters: [UInt8]
    let oddities: Set<PSBTFile.Oddity>

    /// Nil where the file is no ASCII text, in one or two bytes a character.
    init?(_ file: [UInt8]) {
        var oddities: Set<PSBTFile.Oddity> = []
        var text = file[...]
        if text.starts(with: [0xEF, 0xBB, 0xBF]) {
            oddities.insert(.byteOrderMark)
            text = text.dropFirst(3)
        } else if let isBigEndian = PSBTFileText.isBigEndianUTF16(file) {
            oddities.insert(.utf16)
            guard let narrowed = PSBTFileText.narrowed(file, isBigEndian: isBigEndian) else {
                return nil
            }
            text = narrowed[...]
        }
        guard text.allSatisfy({ $0 < 0x80 && ($0 > 0x20 || PSBTFileText.isSpace($0)) }) else {
            return nil
        }
        let trimmed = text.drop(while: PSBTFileText.isSpace)
        let end = trimmed.lastIndex { !PSBTFileText.isSpace($0) }.map { $0 + 1 }
        let inner = trimmed[..<(end ?? trimmed.endIndex)]
        if inner.contains(where: PSBTFileText.isSpace) { oddities.insert(.lineBreaks) }
        characters = inner.filter { !PSBTFileText.isSpace($0) }
        self.oddities = oddities
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (9...13).contains(byte) }

    /// The byte order of UTF-16, told by its mark or by the zero beside the first character; nil
    /// for other files.
    private static func isBigEndianUTF16(_ file: [UInt8]) -> Bool? {
        guard file.count >= 2 else { return nil }
        switch (file[0], file[1]) {
        case (0xFF, 0xFE): return false
        case (0xFE, 0xFF): return true
        case (0, 1...0x7F): return true
        case (1...0x7F, 0): return false
        default: return nil
        }
    }

    /// One byte for two; nil where a character is not ASCII or half of one is left.
    private static func narrowed(_ file: [UInt8], isBigEndian: Bool) -> [UInt8]? {
        guard file.count % 2 == 0 else { return nil }
        let hasMark = file[0] >= 0xFE
        var text: [UInt8] = []
        text.reserveCapacity(file.count / 2)
        for index in stride(from: hasMark ? 2 : 0, to: file.count, by: 2) {
            let (high, low) =
                isBigEndian ? (file[index], file[index + 1]) : (file[index + 1], file[index])
            guard high == 0 else { return nil }
            text.append(low)
        }
        return text
    }
}

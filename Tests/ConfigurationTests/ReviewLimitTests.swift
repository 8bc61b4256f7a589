import Configuration
import Review
import Testing

@Suite("Limits of reviews in the configuration")
struct ReviewLimitTests {
    @Test("Each setting names a limit of reviews, and its default is the standard one")
    func names() throws {
        let settings = Settings()
        var count = 0
        for setting in Setting.allCases {
            guard let name = setting.reviewLimit else { continue }
            let row = try #require(ReviewLimits.rows.first { $0.name == name })
            let standard = ReviewLimits.standard[keyPath: row.path]
            #expect(settings.reviewLimits[setting] == standard)
            count += 1
        }
        #expect(count == 6)
    }

    @Test("A value is taken from the file, and one that is none is refused with what is allowed")
    func values() throws {
        var settings = Settings()
        try settings.read(file: "f", bytes: Array("review-fee-share-stop = 250\n".utf8))
        #expect(settings.reviewLimits[.reviewFeeShareStop] == 250)
        for text in ["", "0", "1001", "-1", "+5", "1e2", "0x10", "99999999999999999999"] {
            #expect(throws: FileError.self) {
                try settings.read(
                    file: "f", bytes: Array("review-fee-share-stop = \(text)\n".utf8))
            }
        }
        #expect(settings.reviewLimits[.reviewFeeShareStop] == 250)
    }
}

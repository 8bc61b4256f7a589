import SignerWork
import Testing

@Suite("How long a worker waits for the other end")
struct TransferPaceTests {
    @Test("bytes that come now and then do not win time")
    func dribble() {
        let pace = TransferPace(.seconds(60))
        for second in stride(from: 20, through: 60, by: 20) {
            pace.note(waited: .seconds(20))
            pace.note(moved: 1)
            #expect(pace.left == .seconds(60 - second))
        }
        pace.note(waited: .seconds(1))
        #expect(pace.left == .zero)
    }

    @Test("a slow transfer that goes on has all the time that it needs")
    func slow() {
        let pace = TransferPace(.seconds(60))
        for _ in 0..<1000 {
            for _ in 0..<15 {
                pace.note(waited: .seconds(3))
                pace.note(moved: 4 << 10)
            }
            #expect(pace.left == .seconds(15))
            pace.note(waited: .seconds(3))
            pace.note(moved: 4 << 10)
            #expect(pace.left == .seconds(60))
        }
    }
}

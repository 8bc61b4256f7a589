import Testing

@testable import ConsoleCore

@Suite("Places of a quiz")
struct QuizPlacesTests {
    @Test("one place in each third, whatever the number", arguments: [12, 15, 18, 21, 24])
    func thirds(_ count: Int) {
        for number in [0, 1, 0xFFFF, UInt64.max, 0x1234_5678_9ABC_DEF0] {
            let places = QuizPlaces.chosen(of: count, by: number)
            #expect(places.count == 3)
            for (part, place) in places.enumerated() {
                #expect((part * count / 3 + 1...(part + 1) * count / 3).contains(place))
            }
        }
        let all = (0..<65536).flatMap { QuizPlaces.chosen(of: count, by: $0 << 16 | $0 << 32 | $0) }
        #expect(Set(all) == Set(1...count))
    }
}

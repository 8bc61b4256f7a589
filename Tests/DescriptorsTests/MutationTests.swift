import TestSupport
import Testing

@testable import Descriptors

@Suite("Mutated descriptors")
struct MutationTests {
    @Test("nothing traps; what is read prints a text that is read as the same value, and derives")
    func mutations() throws {
        let core = try Fixture.load("descriptors/core.json", as: CoreVectorTests.Vectors.self)
        let bips = try Fixture.load("descriptors/bips.json", as: BIPVectorTests.Vectors.self)
        let seeds =
            core.valid.map(\.text) + core.multipath.map(\.text) + core.unparsable.map(\.text)
            + bips.valid.map { $0.public ?? $0.text } + bips.invalid.map(\.text)
        let texts = seeds.map { tokens(String($0.prefix { $0 != "#" })) }
        var generator = SeededGenerator(seed: 380)
        var read = 0
        for round in 0..<4_000 {
            var tokens = texts[round % texts.count]
            for _ in 0..<Int.random(in: 1...2, using: &generator) {
                mutate(&tokens, with: texts, using: &generator)
            }
            var mutated = tokens.joined()
            if round % 4 == 0 {
                let bytes = generator.mutated(Array(mutated.utf8))
                mutated = String(decoding: bytes, as: UTF8.self)
            }
            _ = try? AnnotatedDescriptor(mutated)
            _ = try? WalletPolicy(template: mutated, keys: [BugLogTests.otherKey])
            guard let descriptor = try? Descriptor(mutated) else { continue }
            read += 1
            #expect(try Descriptor(descriptor.description, requiringChecksum: true) == descriptor)
            for output in descriptor.outputs {
                #expect(throws: Never.self, "\(mutated)") {
                    try output.output(at: 1, branch: output.branchCount - 1)
                }
            }
            _ = descriptor.maximumSpendSize
            _ = descriptor.identifier
        }
        #expect(read > 150)
    }

    /// Words, which may be whole keys, and single characters between them.
    private func tokens(_ text: String) -> [String] {
        text.matches(of: /[0-9A-Za-z_]+|./).map { String($0.0) }
    }

    /// Tells numbers, keys, names and single characters apart.
    private func kind(_ token: String) -> Int {
        if token.count > 1 && token.allSatisfy(\.isNumber) { return 0 }
        return token.count == 1 ? 1 : token.count < 20 ? 2 : token.count
    }

    /// Removes, repeats, swaps or replaces a token, or puts in a piece of another text.
    private func mutate(
        _ tokens: inout [String], with texts: [[String]], using generator: inout SeededGenerator
    ) {
        guard let place = tokens.indices.randomElement(using: &generator) else { return }
        let other = texts.randomElement(using: &generator) ?? []
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: tokens.remove(at: place)
        case 1: tokens.insert(tokens[place], at: place)
        case 2: tokens.swapAt(place, tokens.indices.randomElement(using: &generator) ?? place)
        case 3: tokens[place] = other.randomElement(using: &generator) ?? ""
        case 4:
            tokens[place] =
                ["0", "1", "2147483647", "*", "h", "/", "a", "v"].randomElement(using: &generator)
                ?? ""
        case 5...9:
            let alike = other.filter { kind($0) == kind(tokens[place]) }
            tokens[place] = alike.randomElement(using: &generator) ?? tokens[place]
        default: tokens.insert(contentsOf: other.shuffled(using: &generator).prefix(3), at: place)
        }
    }
}

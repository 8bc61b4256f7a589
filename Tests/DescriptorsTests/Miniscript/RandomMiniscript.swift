import Bitcoin
import TestSupport
import Wire

@testable import Descriptors

/// Makes well-typed miniscripts: arguments are made until they fit the fragment.
struct RandomMiniscript {
    private var random: SeededGenerator
    private let context: ScriptContext
    private var keyCount = 0

    /// Fragments in postfix order with the type of their root.
    private typealias Piece = (fragments: [Fragment<TestKey>], type: MiniscriptType)

    init(seed: UInt64, _ context: ScriptContext) {
        random = SeededGenerator(seed: seed)
        self.context = context
    }

    /// A miniscript of no more than `depth` fragments on top of each other, no key twice.
    mutating func next(depth: Int) throws -> Miniscript<TestKey> {
        keyCount = 0
        var builder = MiniscriptBuilder<TestKey>(context: context)
        for fragment in piece(.B, depth).fragments { try builder.append(fragment) }
        return try builder.finish()
    }

    private mutating func piece(_ basic: MiniscriptType, _ depth: Int) -> Piece {
        for _ in 0..<(depth > 0 ? 6 : 0) {
            let (fragment, needed) = combinator(basic)
            let arguments = needed.map { piece($0, depth - 1) }
            let types = ArraySlice(arguments.map(\.type))
            if let type = try? MiniscriptType(of: fragment, arguments: types, in: context) {
                return (arguments.flatMap(\.fragments) + [fragment], type)
            }
        }
        return simple(basic)
    }

    /// A short expression of a basic type.
    private mutating func simple(_ basic: MiniscriptType) -> Piece {
        let wrappers: [Fragment<TestKey>]
        var first = leaf()
        switch basic {
        case .K:
            first = Bool.random(using: &random) ? .pkK(key()) : .pkH(key())
            wrappers = []
        case .V: wrappers = [.wrap(.verify)]
        case .W: wrappers = [.wrap(.alt)]
        default: wrappers = []
        }
        var fragments = [first]
        if case .pkK = first, basic != .K { fragments.append(.wrap(.check)) }
        if case .pkH = first, basic != .K { fragments.append(.wrap(.check)) }
        fragments += wrappers
        var type: MiniscriptType = []
        for fragment in fragments {
            let arguments = [type].prefix(fragment.arity)
            type = (try? MiniscriptType(of: fragment, arguments: arguments, in: context)) ?? type
        }
        return (fragments, type)
    }

    private mutating func combinator(
        _ basic: MiniscriptType
    ) -> (fragment: Fragment<TestKey>, arguments: [MiniscriptType]) {
        let choices: [(Fragment<TestKey>, [MiniscriptType])]
        switch basic {
        case .V:
            choices = [
                (.wrap(.verify), [.B]), (.wrap(.verify), [.B]), (.andV, [.V, .V]),
                (.orC, [.B, .V]), (.orI, [.V, .V]), (.andOr, [.B, .V, .V]),
            ]
        case .K:
            choices = [(.andV, [.V, .K]), (.orI, [.K, .K]), (.andOr, [.B, .K, .K])]
        case .W: choices = [(.wrap(.alt), [.B]), (.wrap(.swap), [.B])]
        default:
            let count = Int.random(in: 1...4, using: &random)
            let needed = Int.random(in: 1...count, using: &random)
            let thresh = [.B] + [MiniscriptType](repeating: .W, count: count - 1)
            choices = [
                (.andV, [.V, .B]), (.andB, [.B, .W]), (.orB, [.B, .W]), (.orD, [.B, .B]),
                (.orI, [.B, .B]), (.andOr, [.B, .B, .B]), (.thresh(needed, of: count), thresh),
                (.thresh(needed, of: count), thresh), (.wrap(.check), [.K]),
                (.wrap(.dupIf), [.V]), (.wrap(.nonZero), [.B]), (.wrap(.zeroNotEqual), [.B]),
            ]
        }
        return choices.randomElement(using: &random) ?? choices[0]
    }

    private mutating func key() -> TestKey {
        keyCount += 1
        return TestKey(keyCount)
    }

    private mutating func leaf() -> Fragment<TestKey> {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return .zero
        case 1: return .one
        case 2: return .older([1, 144, 65_535, 4_194_305].randomElement(using: &random) ?? 1)
        case 3: return .after([1, 500, 500_000_001].randomElement(using: &random) ?? 1)
        case 4, 5:
            let function = HashLock.Function.allCases.randomElement(using: &random) ?? .sha256
            return TestWorld.lock(function, Int.random(in: 0..<4, using: &random))
                .map { .hash($0) } ?? .one
        case 6:
            let keys = (0..<Int.random(in: 1...4, using: &random)).map { _ in key() }
            let needed = Int.random(in: 1...keys.count, using: &random)
            return context == .wsh ? .multi(needed, keys) : .multiA(needed, keys)
        case 7, 8: return .pkH(key())
        default: return .pkK(key())
        }
    }

    /// A world in which any part of what the miniscript asks for is at hand.
    mutating func world(for miniscript: Miniscript<TestKey>) -> TestWorld {
        var world = TestWorld(context: context)
        let odds = Int.random(in: 1...4, using: &random)
        func isThere(_ random: inout SeededGenerator) -> Bool {
            Int.random(in: 0..<4, using: &random) < odds
        }
        for key in miniscript.keys where isThere(&random) { world.signers.insert(key) }
        for number in 0..<4 where isThere(&random) { world.preimages.insert(number) }
        for node in miniscript.nodes {
            switch node.fragment {
            case .older(let value) where isThere(&random): world.olderMet.insert(value)
            case .after(let value) where isThere(&random): world.afterMet.insert(value)
            default: break
            }
        }
        return world
    }
}

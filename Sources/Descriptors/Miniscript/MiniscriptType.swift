/// The type of a miniscript: one basic type and any number of properties (BIP379).
public struct MiniscriptType: OptionSet, Hashable, Sendable {
    /// One bit a letter.
    public let rawValue: UInt32
    /// A set of letters by their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Base: pushes a nonzero value when satisfied, zero when dissatisfied.
    public static let B = MiniscriptType(rawValue: 1 << 0)
    /// Verify: pushes nothing, cannot be dissatisfied.
    public static let V = MiniscriptType(rawValue: 1 << 1)
    /// Key: pushes a key for which a signature is needed.
    public static let K = MiniscriptType(rawValue: 1 << 2)
    /// Wrapped: takes its input from one below the top of the stack.
    public static let W = MiniscriptType(rawValue: 1 << 3)
    /// Zero-arg: takes nothing from the stack.
    public static let z = MiniscriptType(rawValue: 1 << 4)
    /// One-arg: takes exactly one item.
    public static let o = MiniscriptType(rawValue: 1 << 5)
    /// Nonzero: takes items, and no satisfaction has a zero on top.
    public static let n = MiniscriptType(rawValue: 1 << 6)
    /// Dissatisfiable, always and without a signature.
    public static let d = MiniscriptType(rawValue: 1 << 7)
    /// Unit: when satisfied, pushes exactly 1.
    public static let u = MiniscriptType(rawValue: 1 << 8)
    /// Forced: a dissatisfaction needs a signature.
    public static let f = MiniscriptType(rawValue: 1 << 9)
    /// Expressive: the only dissatisfaction without a signature is unique.
    public static let e = MiniscriptType(rawValue: 1 << 10)
    /// Non-malleable satisfactions exist.
    public static let m = MiniscriptType(rawValue: 1 << 11)
    /// Safe: a satisfaction needs a signature.
    public static let s = MiniscriptType(rawValue: 1 << 12)
    /// Expensive verify: its last opcode has no verifying form.
    public static let x = MiniscriptType(rawValue: 1 << 13)
    /// Holds a relative lock by time.
    public static let g = MiniscriptType(rawValue: 1 << 14)
    /// Holds a relative lock by height.
    public static let h = MiniscriptType(rawValue: 1 << 15)
    /// Holds an absolute lock by time.
    public static let i = MiniscriptType(rawValue: 1 << 16)
    /// Holds an absolute lock by height.
    public static let j = MiniscriptType(rawValue: 1 << 17)
    /// No satisfaction needs a lock by time and one by height at once.
    public static let k = MiniscriptType(rawValue: 1 << 18)

    /// The basic types.
    static let basic: MiniscriptType = [.B, .V, .K, .W]
    /// The kinds of locks it holds.
    static let locks: MiniscriptType = [.g, .h, .i, .j]
    /// What the satisfactions are like.
    static let malleability: MiniscriptType = [.f, .e, .m, .s]

    /// This type where `condition` holds, else nothing.
    func when(_ condition: Bool) -> MiniscriptType { condition ? self : [] }
}

extension MiniscriptType: CustomStringConvertible {
    private static let letters = Array("BVKWzonduemfsxghijk")
    private static let order: [MiniscriptType] = [
        .B, .V, .K, .W, .z, .o, .n, .d, .u, .e, .m, .f, .s, .x, .g, .h, .i, .j, .k,
    ]

    /// Its letters, the basic type first.
    public var description: String {
        String(zip(Self.letters, Self.order).filter { contains($0.1) }.map(\.0))
    }

    /// Its letters as a demand: any of its basic types, with all of its properties.
    var demand: String {
        let basic = intersection(.basic).description.map { String($0) }.joined(separator: " or ")
        return basic + subtracting(.basic).description
    }
}

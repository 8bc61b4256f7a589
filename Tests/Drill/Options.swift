/// What the drill is asked to do.
struct Options {
    struct Misuse: Error, CustomStringConvertible {
        let description: String
    }

    var roles = Role.allCases
    var cells = Cell.allCases
    var attack: String?
    /// Whether every system call and every socket family is tried too.
    var triesCalls = false
    var printsTable = false
    /// Whether the channels of the real appliance are attacked.
    var triesFrames = false
    var isShort = false
    /// How many times each process of the real appliance is killed.
    var deaths = 0

    init(_ arguments: [String]) throws {
        var rest = arguments.makeIterator()
        while let flag = rest.next() {
            switch flag {
            case "--short":
                cells = [.everything, .nothing]
                isShort = true
            case "--frames": triesFrames = true
            case "--calls": triesCalls = true
            case "--table": printsTable = true
            case "--deaths":
                guard let text = rest.next(), let count = Int(text), count > 0 else {
                    throw Misuse(description: "--deaths takes a number")
                }
                deaths = count
                cells = []
            case "--role":
                guard let name = rest.next(), let role = Role(rawValue: name) else {
                    throw Misuse(description: "--role takes \(Role.allCases.map(\.rawValue))")
                }
                roles = [role]
            case "--cell":
                guard let name = rest.next(), let cell = Cell(rawValue: name) else {
                    throw Misuse(description: "--cell takes \(Cell.allCases.map(\.rawValue))")
                }
                cells = [cell]
            case "--attack":
                guard let text = rest.next() else {
                    throw Misuse(description: "--attack takes a part of a name")
                }
                attack = text
            default: throw Misuse(description: "unknown flag \(flag)")
            }
        }
    }
}

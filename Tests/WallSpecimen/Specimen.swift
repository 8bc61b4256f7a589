import Confinement
import Glibc
import LinuxIO
import SeccompPolicies
import Wire

struct Specimen {
    enum Misuse: Error { case usage(String) }

    private var rules = LandlockRules()
    private var usesLandlock = true
    private var limits = ResourceLimits()
    private var probePolicy: String?
    private var kept: Set<Int32> = [0, 1, 2]
    private var child: ProbeChild?
    /// Asked before the walls are up.
    private let parent = getppid()
    private var descriptors: [Int32] = []

    mutating func run(_ arguments: [String]) throws {
        guard let policy = arguments.first else { throw Misuse.usage("name a policy") }
        var rest = arguments.dropFirst()
        while let option = rest.first, option.hasPrefix("--") {
            rest = rest.dropFirst()
            if option == "--no-landlock" {
                usesLandlock = false
                continue
            }
            guard let value = rest.popFirst() else { throw Misuse.usage(option) }
            try set(option, value)
        }
        let report = try confine(policy)
        for action in rest { try perform(action, report) }
    }

    private mutating func set(_ option: String, _ value: String) throws {
        switch option {
        case "--read": rules.paths.append((value, .read))
        case "--write": rules.paths.append((value, .readWrite))
        case "--tcp": rules.tcp = value == "connect" ? .connect : value == "any" ? .any : .none
        case "--probes": probePolicy = value
        case "--keep": kept.insert(Int32(value) ?? 0)
        case "--limit":
            let parts = value.split(separator: "=").map(String.init)
            guard parts.count == 2, let number = UInt64(parts[1]),
                let resource = Resource.allCases.first(where: { "\($0)" == parts[0] })
            else { throw Misuse.usage(value) }
            limits.values[resource] = number
        default: throw Misuse.usage(option)
        }
    }

    private mutating func confine(_ policy: String) throws -> ConfinementReport {
        var plan = ConfinementPlan(
            filter: try filter(policy),
            landlock: usesLandlock ? rules : nil, limits: limits, descriptors: kept)
        let filter = plan.filter
        try Confinement.prepare(plan)
        for number in Int32(0)..<64 {
            guard let open = FileDescriptor(inherited: number) else { continue }
            descriptors.append(open.take())
        }
        if let probePolicy {
            plan.filter = try self.filter(probePolicy)
            child = try ProbeChild.start(plan)
            plan.filter = filter
        }
        return try Confinement.apply(plan)
    }

    /// `none` lets every call pass and logs what a policy would have killed.
    private func filter(_ name: String) throws -> SeccompFilter {
        if name == "none" {
            return try SeccompFilter(compiling: SeccompPolicy(.common), violation: .log)
        }
        guard let policy = PolicyName(rawValue: name) else { throw Misuse.usage(name) }
        return try SeccompFilter(compiling: SeccompPolicy(policy))
    }

    private func perform(_ action: String, _ report: ConfinementReport) throws {
        let parts = action.split(separator: "=", maxSplits: 1).map(String.init)
        let value = parts.count == 2 ? parts[1] : ""
        switch parts[0] {
        case "report":
            var writer = Writer()
            report.encode(into: &writer)
            say("report " + Hex.encode(writer.bytes))
        case "descriptors":
            say("descriptors " + descriptors.map(String.init).joined(separator: ","))
        case "probe":
            guard let child else { throw Misuse.usage("--probes first") }
            say("\(value) \(child.run(try kind(value), at: targets).summary)")
        case "attempt":
            let kind = try kind(value)
            say("\(value) \(ProbeAttempt.make(kind, index: 0, at: targets).summary)")
        case "allocate":
            let bytes = [UInt8](repeating: 1, count: (Int(value) ?? 1) << 20)
            say("allocated \(bytes.count)")
        case "trap":
            let numbers: [Int] = []
            say("\(numbers[value.utf8.count])")
        default: throw Misuse.usage(action)
        }
    }

    private func kind(_ name: String) throws -> ProbeKind {
        guard let kind = ProbeKind.allCases.first(where: { "\($0)" == name }) else {
            throw Misuse.usage(name)
        }
        return kind
    }

    /// What the tests set up, by the environment of the test: the parent's own files and process.
    private var targets: ProbeTargets {
        ProbeTargets(
            deviceKey: rules.paths.first.map { $0.path + "/../device.key" } ?? "/nowhere",
            vaultDirectory: rules.paths.first.map { $0.path + "/../vaults" } ?? "/nowhere",
            signerSocket: rules.paths.first.map { $0.path + "/../signer.sock" } ?? "/nowhere",
            otherProcess: parent)
    }
}

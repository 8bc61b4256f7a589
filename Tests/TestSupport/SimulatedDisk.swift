public import StateFiles

/// A disk in memory that fails on purpose and forgets at a power cut what was not flushed.
///
/// Every call of `Disk` that may change something, or that a file system does on its own, is one step.
/// A flushed file keeps its bytes, and a flushed directory its names; of the rest a power cut keeps
/// what chance says: none, all, any part of the names in any order that makes sense, bytes torn.
public final class SimulatedDisk: Disk {
    /// What happens at a step.
    public enum Fault: Hashable, Sendable {
        /// Nothing is done from here on, as if the power were gone.
        case powerCut
        /// This step alone fails and does nothing, or half of it.
        case failure(DiskFailure)
        /// This step and every later one fail.
        case brokenFrom(DiskFailure)
    }

    private struct Node {
        var bytes: [UInt8] = []
        var flushed: [UInt8] = []
    }

    private enum Change {
        case name(String, node: Int)
        case unname(String)
        case rename(String, to: String)
        case directory(String)
        case undirectory(String)
    }

    private var nodes: [Node] = []
    private var names: [String: Int] = [:]
    private var directories: Set<String> = [""]
    private var flushedNames: [String: Int] = [:]
    private var flushedDirectories: Set<String> = [""]
    /// What was done to names and not flushed, in order.
    private var pending: [Change] = []

    /// Steps so far.
    public private(set) var steps = 0
    /// At which step what happens.
    public var fault: (step: Int, Fault)?
    private var isOff = false
    private var isBroken: DiskFailure?

    /// An empty disk.
    public init() {}

    /// Whether the power is gone.
    public var isWithoutPower: Bool { isOff }

    /// The bytes of every file by path.
    public var contents: [String: [UInt8]] { names.mapValues { nodes[$0].bytes } }

    /// The bytes that a file keeps whatever happens now.
    public func flushedBytes(of path: String) -> [UInt8]? {
        flushedNames[path].map { nodes[$0].flushed }
    }

    /// Puts a file there, flushed.
    public func place(_ path: String, _ bytes: [UInt8]) {
        var directory = ""
        for part in path.split(separator: "/").dropLast() {
            directory = directory.isEmpty ? String(part) : directory + "/" + part
            directories.insert(directory)
            flushedDirectories.insert(directory)
        }
        nodes.append(Node(bytes: bytes, flushed: bytes))
        names[path] = nodes.count - 1
        flushedNames[path] = nodes.count - 1
    }

    /// The power is back; of what was not flushed, chance keeps some.
    public func restart(_ survival: Survival, using random: inout some RandomNumberGenerator) {
        for change in pending where survival.keeps(using: &random) { apply(change) }
        pending = []
        names = flushedNames
        directories = flushedDirectories
        for index in nodes.indices {
            let node = nodes[index]
            guard node.bytes != node.flushed else { continue }
            nodes[index].flushed = survival.tear(node.flushed, node.bytes, using: &random)
            nodes[index].bytes = nodes[index].flushed
        }
        isOff = false
        isBroken = nil
        fault = nil
        steps = 0
    }

    /// How much of what was not flushed outlives a power cut.
    public enum Survival: Hashable, Sendable {
        case nothing
        case everything
        case chance

        func keeps(using random: inout some RandomNumberGenerator) -> Bool {
            switch self {
            case .nothing: false
            case .everything: true
            case .chance: Bool.random(using: &random)
            }
        }

        /// What was flushed and not written again since stays, and so does what a changed sector has in
        /// front of its first new byte; from there on it is the old one, the
        /// new one or neither.
        private func sectors(
            _ old: [UInt8], _ new: [UInt8], using random: inout some RandomNumberGenerator
        ) -> [UInt8] {
            let size = Int.random(
                in: min(old.count, new.count)...max(old.count, new.count), using: &random)
            var torn: [UInt8] = []
            torn.reserveCapacity(size)
            while torn.count < size {
                let places = torn.count..<min(torn.count + 512, size)
                let before = old[
                    min(places.lowerBound, old.count)..<min(places.upperBound, old.count)]
                let after = new[
                    min(places.lowerBound, new.count)..<min(places.upperBound, new.count)]
                switch before == after ? 0 : Int.random(in: 0...2, using: &random) {
                case 0: torn += before
                case 1: torn += after
                default:
                    let same = zip(before, after).prefix { $0 == $1 }.count
                    let cut = Int.random(in: same...after.count, using: &random)
                    torn += after.prefix(cut)
                    if Bool.random(using: &random) { torn += before.dropFirst(cut) }
                }
                torn += Array(repeating: 0, count: max(0, places.upperBound - torn.count))
            }
            return torn
        }

        func tear(
            _ old: [UInt8], _ new: [UInt8], using random: inout some RandomNumberGenerator
        ) -> [UInt8] {
            switch self {
            case .nothing: return old
            case .everything: return new
            case .chance:
                return sectors(old, new, using: &random)
            }
        }
    }

    /// The disk works again, and has forgotten nothing.
    public func mend() {
        isBroken = nil
        fault = nil
    }

    private func apply(_ change: Change) {
        switch change {
        case .name(let path, let node):
            guard flushedDirectories.contains(parent(path)) else { return }
            flushedNames[path] = node
        case .unname(let path): flushedNames[path] = nil
        case .rename(let path, let target):
            guard let node = flushedNames[path] else { return }
            flushedNames[path] = nil
            flushedNames[target] = node
        case .directory(let path):
            guard flushedDirectories.contains(parent(path)) else { return }
            flushedDirectories.insert(path)
        case .undirectory(let path):
            guard !flushedNames.keys.contains(where: { parent($0) == path }) else { return }
            flushedDirectories.remove(path)
        }
    }

    private func parent(_ path: String) -> String {
        path.split(separator: "/").dropLast().joined(separator: "/")
    }

    private func directory(of change: Change) -> String {
        switch change {
        case .name(let path, _), .unname(let path), .rename(let path, _), .directory(let path),
            .undirectory(let path):
            parent(path)
        }
    }

    /// Counts a step; whether only half of it is to be done before this failure.
    private func step() throws(DiskFailure) -> DiskFailure? {
        if isOff { throw .failed(path: "", "the power is gone") }
        defer { steps += 1 }
        if let isBroken { throw isBroken }
        guard let (place, fault) = fault, place == steps else { return nil }
        switch fault {
        case .powerCut:
            isOff = true
            throw .failed(path: "", "the power is gone")
        case .failure(let failure): return failure
        case .brokenFrom(let failure):
            isBroken = failure
            return failure
        }
    }

    private func whole(_ body: () throws(DiskFailure) -> Void) throws(DiskFailure) {
        if let failure = try step() { throw failure }
        try body()
    }

    private func node(_ path: String) throws(DiskFailure) -> Int {
        guard let node = names[path] else { throw .tooShort(path: path) }
        return node
    }

    // MARK: Disk

    /// The names in a directory, sorted.
    public func names(in directory: String) throws(DiskFailure) -> [String] {
        if isOff { throw .failed(path: "", "the power is gone") }
        guard names[directory] == nil else { throw .wrongKind(path: directory) }
        let all = Array(names.keys) + directories.filter { !$0.isEmpty }
        return all.filter { parent($0) == directory }
            .map { String($0.split(separator: "/").last ?? "") }.sorted()
    }

    /// The bytes of a file.
    public func read(_ path: String, limit: Int) throws(DiskFailure) -> [UInt8]? {
        if isOff { throw .failed(path: "", "the power is gone") }
        guard let node = names[path] else { return nil }
        let bytes = nodes[node].bytes
        guard bytes.count <= limit else {
            throw .tooLarge(path: path, found: UInt64(bytes.count), allowed: UInt64(limit))
        }
        return bytes
    }

    /// A part of a file.
    public func read(
        _ path: String, at offset: UInt64, count: Int
    ) throws(DiskFailure) -> [UInt8] {
        if isOff { throw .failed(path: "", "the power is gone") }
        return Array(nodes[try node(path)].bytes.dropFirst(Int(offset)).prefix(count))
    }

    /// The length of a file.
    public func size(of path: String) throws(DiskFailure) -> UInt64? {
        if isOff { throw .failed(path: "", "the power is gone") }
        return names[path].map { UInt64(nodes[$0].bytes.count) }
    }

    /// A new empty file.
    public func create(_ path: String) throws(DiskFailure) {
        try whole { () throws(DiskFailure) in
            guard directories.contains(parent(path)) else { throw .wrongKind(path: path) }
            nodes.append(Node())
            names[path] = nodes.count - 1
            pending.append(.name(path, node: nodes.count - 1))
        }
    }

    /// Writes a part; half of it where the step fails.
    public func write(
        _ bytes: [UInt8], to path: String, at offset: UInt64
    ) throws(DiskFailure) {
        let failure = try step()
        let node = try node(path)
        guard offset <= nodes[node].bytes.count else { throw .tooShort(path: path) }
        // A write that fails has written a part.
        let part = failure == nil ? bytes[...] : bytes[..<(bytes.count / 2)]
        let start = Int(offset)
        let end = min(nodes[node].bytes.count, start + part.count)
        nodes[node].bytes.replaceSubrange(start..<end, with: part)
        if let failure { throw failure }
    }

    /// Cuts a file off.
    public func truncate(_ path: String, to size: UInt64) throws(DiskFailure) {
        try whole { () throws(DiskFailure) in
            let node = try node(path)
            nodes[node].bytes = Array(nodes[node].bytes.prefix(Int(size)))
        }
    }

    /// What was written holds from now on.
    public func flush(_ path: String) throws(DiskFailure) {
        try whole { () throws(DiskFailure) in
            let node = try node(path)
            nodes[node].flushed = nodes[node].bytes
        }
    }

    /// Gives a file another name, in the place of what had it.
    public func rename(_ path: String, to target: String) throws(DiskFailure) {
        try whole { () throws(DiskFailure) in
            names[target] = try node(path)
            names[path] = nil
            pending.append(.rename(path, to: target))
        }
    }

    /// Takes a name away.
    public func remove(_ path: String) throws(DiskFailure) {
        try whole { () throws(DiskFailure) in
            guard names.removeValue(forKey: path) != nil else { return }
            pending.append(.unname(path))
        }
    }

    /// Makes a directory; false where it is there.
    public func makeDirectory(_ path: String) throws(DiskFailure) -> Bool {
        if let failure = try step() { throw failure }
        guard directories.insert(path).inserted else { return false }
        pending.append(.directory(path))
        return true
    }

    /// Removes a directory without names in it; whether it did.
    public func removeDirectory(_ path: String) throws(DiskFailure) -> Bool {
        if let failure = try step() { throw failure }
        let isFree = !names.keys.contains { parent($0) == path }
        guard isFree, !directories.contains(where: { parent($0) == path && !$0.isEmpty }),
            directories.remove(path) != nil
        else { return false }
        pending.append(.undirectory(path))
        return true
    }

    /// The names in it hold from now on.
    public func flushDirectory(_ path: String) throws(DiskFailure) {
        try whole { () throws(DiskFailure) in
            for change in pending where directory(of: change) == path { apply(change) }
            pending.removeAll { directory(of: $0) == path }
        }
    }
}

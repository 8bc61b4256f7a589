import ConsoleCore
import LinuxIO
import PhotoMetadata

/// The confined child that looks at a file before it is sealed.
enum ItemFilter {
    /// Says `y`, how many bytes may be sealed, a space and what is left out, and then passes them on;
    /// or says `n` and why not. Whoever gets fewer bytes than were said has a filter that died.
    static func run(_ file: UnsafeRawBufferPointer, answer: Int32, data: Int32) -> Never {
        guard (try? ConsoleConfinement.enter(keeping: [answer, data, 2])) != nil else {
            Kernel.exit(1)
        }
        do throws(LocationRefusal) {
            let sealable = try LocationRemoval.examine(file)
            say("y\(count(sealable, of: file)) " + removed(sealable), to: answer)
            pass(sealable, of: file, to: data)
        } catch {
            say("n\(error)", to: answer)
        }
        Kernel.exit(0)
    }

    private static func say(_ text: String, to pipe: Int32) {
        Helper.writeAll(Array(text.utf8), to: pipe)
        FileDescriptor(owning: pipe).close()
    }

    private static func count(_ sealable: Sealable, of file: UnsafeRawBufferPointer) -> Int {
        switch sealable {
        case .asItIs, .blanked: file.count
        case .rewritten(let bytes, _): bytes.count
        }
    }

    private static func removed(_ sealable: Sealable) -> String {
        switch sealable {
        case .asItIs: ""
        case .rewritten(_, let parts): parts.map(\.rawValue).sorted().joined(separator: "; ")
        case .blanked: Removed.boxes.rawValue
        }
    }

    private static func pass(
        _ sealable: Sealable, of file: UnsafeRawBufferPointer, to pipe: Int32
    ) {
        switch sealable {
        case .asItIs: write(file, to: pipe)
        case .rewritten(let bytes, _): bytes.withUnsafeBytes { write($0, to: pipe) }
        case .blanked(let blanks):
            var position = 0
            for blank in blanks {
                write(
                    UnsafeRawBufferPointer(rebasing: file[position..<blank.range.lowerBound]),
                    to: pipe)
                blank.start.withUnsafeBytes { write($0, to: pipe) }
                writeZeros(blank.range.count - blank.start.count, to: pipe)
                position = blank.range.upperBound
            }
            write(UnsafeRawBufferPointer(rebasing: file[position...]), to: pipe)
        }
    }

    private static func writeZeros(_ count: Int, to pipe: Int32) {
        let zeros = [UInt8](repeating: 0, count: min(count, 65536))
        var left = count
        while left > 0 {
            let part = min(left, zeros.count)
            zeros.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[..<part]), to: pipe) }
            left -= part
        }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to pipe: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest.prefix(65536))
            guard case .moved(let count) = try? Kernel.write(pipe, part) else { Kernel.exit(1) }
            rest = rest.dropFirst(count)
        }
    }
}

extension FileDescriptor {
    /// Closes it now.
    consuming func close() {}
}

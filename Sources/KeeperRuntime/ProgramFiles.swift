import Configuration
import Glibc
import LinuxIO

/// A program and all files that it needs to start.
package struct ProgramFiles: Equatable {
    /// A shared library: the name by which programs ask for it, and where it lies.
    struct Library: Equatable {
        let name: String
        let path: String
    }

    let path: String
    /// The dynamic loader; nil for a program that is linked statically.
    let loader: String?
    let libraries: [Library]

    /// Asks the dynamic loader what the program at `path` needs.
    package init(path: String) throws(StartRefusal) {
        let head: [UInt8]
        do throws(Errno) {
            head = try System.read(path, limit: ElfInterpreter.headLength)
            try System.check(access(path, X_OK))
        } catch {
            throw StartRefusal(
                .system,
                "the program \(path) cannot be run: \(error); build and install all programs")
        }
        self.path = path
        loader = ElfInterpreter.path(inHead: head)
        guard let loader else {
            libraries = []
            return
        }
        do throws(Errno) {
            let listing = try ProgramFiles.output(of: loader, ["--list", path])
            libraries = try ProgramFiles.parse(listing: listing)
        } catch {
            throw StartRefusal(
                .system,
                "the shared libraries of \(path) cannot be found: \(error); "
                    + "`\(loader) --list \(path)` shows which is missing")
        }
    }

    /// Reads what `ld.so --list` prints: `name => path (address)` a line. The loader itself and the
    /// kernel's own library come without an arrow.
    static func parse(listing: String) throws(Errno) -> [Library] {
        var libraries: [Library] = []
        for line in listing.split(separator: "\n") {
            let words = line.split { $0 == " " || $0 == "\t" }
            guard words.count >= 3, words[1] == "=>" else { continue }
            guard words[2].hasPrefix("/") else { throw .noSuchFile }
            libraries.append(Library(name: String(words[0]), path: String(words[2])))
        }
        return libraries
    }

    /// What a program prints, run with an empty environment.
    private static func output(of program: String, _ arguments: [String]) throws(Errno) -> String {
        let pipe = try Pipe()
        let pid = try Kernel.fork()
        guard pid != 0 else {
            try? System.place(pipe.onlyWriting().take(), at: STDOUT_FILENO)
            try? System.execute(program, arguments: [program] + arguments, environment: [])
            Kernel.exit(127)
        }
        let reading = pipe.onlyReading()
        let bytes = try System.readAll(reading.number, limit: 1 << 20)
        guard try System.waitForSuccess(of: pid) else { throw .noSuchFile }
        return String(decoding: bytes, as: UTF8.self)
    }
}

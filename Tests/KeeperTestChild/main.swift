import Configuration
import Glibc
import LinuxIO
import Messages

// A child that obeys the keeper, or misbehaves as the file `behaviour` in its directory says. It is not
// confined: the tests of the keeper look at what the keeper alone has done. Never installed.

let arguments = try ChildArguments(ProgramArguments.all)
let directory = arguments.stateDirectory

func content(_ name: String) -> String {
    guard let file = fopen(directory + "/" + name, "r") else { return "" }
    defer { fclose(file) }
    var text = [UInt8](repeating: 0, count: 4096)
    let count = fread(&text, 1, text.count, file)
    return String(decoding: text[..<count], as: UTF8.self)
}

func append(_ text: String, to name: String) {
    guard let file = fopen(directory + "/" + name, "a") else { return }
    fputs(text + "\n", file)
    fclose(file)
}

/// What the process finds of its world, for the test to read.
func describe() -> String {
    let open = (0..<1024).filter { fcntl(Int32($0), F_GETFD) != -1 }
    var variables: [String] = []
    var entry = environ
    while let variable = entry.pointee {
        variables.append(String(cString: variable))
        entry += 1
    }
    var names: [String] = []
    for path in ["/", "/bin", "/dev", directory] {
        guard let stream = opendir(path) else { continue }
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." {
                names.append(path == "/" ? "/" + name : path + "/" + name)
            }
        }
        closedir(stream)
    }
    return """
        pid \(getpid()) uid \(getuid()) gid \(getgid()) groups \(getgroups(0, nil))
        descriptors \(open)
        environment \(variables)
        files \(names.sorted())
        """
}

let behaviour = content("behaviour").split(separator: " ").map(String.init)
append(describe(), to: "world")
switch behaviour.first {
case "exit": exit(Int32(behaviour[1]) ?? 99)
case "trap": fatalError("as the test wants it\u{1b}[31m")
case "flood":
    for number in 0..<100_000 {
        let line = "line \(number)\n"
        _ = write(STDERR_FILENO, line, line.utf8.count)
    }
default: break
}

/// The control channel and the newest end of the link.
struct Child: ~Copyable {
    let control: FrameChannel<ControlOrder, ControlReport>
    var link: FileDescriptor?
    var generation: UInt64 = 0

    /// Writes a mark to the link and waits for the other child's, which shows that it is one link.
    mutating func crossLink() {
        guard let end = link.take() else { return }
        var mark = UInt8(ascii: "m")
        _ = send(end.number, &mark, 1, Int32(MSG_NOSIGNAL))
        var waiting = pollfd(fd: end.number, events: Int16(POLLIN), revents: 0)
        let isThere = poll(&waiting, 1, 5000) == 1 && read(end.number, &mark, 1) == 1
        append("link \(generation) \(isThere ? "crossed" : "dead")", to: "links")
        link = consume end
    }

    mutating func obey(_ order: ControlOrder, _ descriptor: consuming FileDescriptor?) throws {
        switch order {
        case .ping(let nonce): try control.send(.pong(nonce: nonce), at: Kernel.timeSinceBoot())
        case .newLink(let number):
            generation = number
            link = descriptor
            crossLink()
        case .facts(let facts, _):
            append(
                "keeper \(facts.keeperPID) signer \(facts.signerPID) network \(facts.networkPID) "
                    + "restarts \(facts.signerRestarts) \(facts.networkRestarts)", to: "facts")
        case .stop where behaviour.first != "deaf": exit(0)
        case .nameServers(let text): append(text, to: "name-servers")
        case .hello, .stop: break
        }
    }

    mutating func serve() throws -> Never {
        var buffer = ReadBuffer()
        while true {
            var waiting = PollSet()
            waiting.add(control.number, .reading)
            try waiting.wait(until: nil)
            var receipt = control.receive(at: Kernel.timeSinceBoot(), through: &buffer)
            for order in receipt.messages { try obey(order, receipt.descriptor.take()) }
            if receipt.end != nil { exit(13) }
        }
    }
}

guard let socket = FileDescriptor(inherited: 3), let link = FileDescriptor(inherited: 4) else {
    fatalError("no control channel or no link")
}
var child = Child(control: try FrameChannel(socket), link: consume link)
if behaviour.first != "silent" {
    var report = ProcessReport()
    report.pid = UInt32(getpid())
    try child.control.send(
        .ready(ControlReady(startupNanoseconds: 1, report: report)), at: Kernel.timeSinceBoot())
}
child.crossLink()
try child.serve()

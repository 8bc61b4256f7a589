import Foundation
import Glibc

/// A DNS server over UDP that knows some names, and remembers what it was asked.
public final class ScriptedNames: @unchecked Sendable {
    /// How it answers.
    public enum Conduct: Sendable {
        /// With the addresses.
        case answer
        /// With this code of RFC 1035.
        case refuse(UInt8)
        /// Not at all.
        case silence
    }

    /// Its port at 127.0.0.1.
    public let port: UInt16
    private let names: [String: [[UInt8]]]
    private let conduct: Conduct
    private let lock = NSLock()
    private var asked: [String] = []

    /// Serves these names: their addresses, 4 or 16 bytes each.
    public init(_ names: [String: [[UInt8]]], conduct: Conduct = .answer) throws {
        self.names = names
        self.conduct = conduct
        let socket = Glibc.socket(
            AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, size) == 0 && getsockname(socket, $0, &size) == 0
            }
        }
        guard isBound else { throw ServerError(what: "cannot bind a datagram socket: \(errno)") }
        port = UInt16(bigEndian: name.sin_port)
        // Now and then the thread looks whether this value is still there; it alone closes the socket.
        var patience = timeval(tv_sec: 0, tv_usec: 50_000)
        setsockopt(
            socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        Thread.detachNewThread { [weak self] in
            while self != nil { Self.serveOne(socket) { self?.answer(to: $0) } }
            close(socket)
        }
    }

    /// The names that it was asked for, in order, once for each question.
    public var questions: [String] { lock.withLock { asked } }

    private static func serveOne(_ socket: Int32, _ answer: ([UInt8]) -> [UInt8]?) {
        var question = [UInt8](repeating: 0, count: 2048)
        var from = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &from) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                let count = recvfrom(socket, &question, question.count, 0, address, &size)
                guard count > 0, let reply = answer(Array(question[..<count])) else { return }
                sendto(socket, reply, reply.count, 0, address, size)
            }
        }
    }

    private func answer(to question: [UInt8]) -> [UInt8]? {
        var labels: [String] = []
        var place = 12
        while place < question.count, question[place] != 0 {
            let length = Int(question[place])
            guard place + 1 + length < question.count else { return nil }
            labels.append(
                String(decoding: question[(place + 1)..<(place + 1 + length)], as: UTF8.self))
            place += 1 + length
        }
        guard place + 5 <= question.count else { return nil }
        let name = labels.joined(separator: ".").lowercased()
        lock.withLock { asked.append(name) }
        var code: UInt8 = names[name] == nil ? 3 : 0
        switch conduct {
        case .answer: break
        case .refuse(let refusal): code = refusal
        case .silence: return nil
        }
        let type = UInt16(question[place + 1]) << 8 | UInt16(question[place + 2])
        let wanted = type == 1 ? 4 : type == 28 ? 16 : 0
        let found = code == 0 ? (names[name] ?? []).filter { $0.count == wanted } : []
        var reply = Array(question[..<2]) + [0x81, 0x80 | code, 0, 1]
        reply += [UInt8(found.count >> 8), UInt8(found.count & 0xFF), 0, 0, 0, 0]
        reply += question[12..<(place + 5)]
        for address in found {
            reply += [0xC0, 12, UInt8(type >> 8), UInt8(type & 0xFF), 0, 1, 0, 0, 0, 60]
            reply += [0, UInt8(address.count)] + address
        }
        return reply
    }
}

/// The HTTPS server in `https_server.py`, in a process of its own.
public final class ScriptedHTTPS {
    /// Its port at 127.0.0.1.
    public let port: UInt16
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Serves what `names` knows, and a file to whoever gets one, in a mode of the script.
    public init(_ names: ScriptedNames, mode: String = "answer", file: String? = nil) throws {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let vectors = here.deletingLastPathComponent().appendingPathComponent("Vectors/https")
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "python3", here.appendingPathComponent("https_server.py").path,
            vectors.appendingPathComponent("server.pem").path,
            vectors.appendingPathComponent("server.key").path, "\(names.port)", mode,
        ]
        process.arguments? += file.map { [$0] } ?? []
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = ScriptedHTTPS.line(output.fileHandleForReading)
        guard let port = UInt16(line) else { throw ServerError(what: "no port: \(line)") }
        self.port = port
    }

    // It ends when its input does.
    deinit { try? input.fileHandleForWriting.close() }

    /// The next line that it prints, waiting for it.
    public func nextLine() -> String { ScriptedHTTPS.line(output.fileHandleForReading) }

    private static func line(_ handle: FileHandle) -> String {
        var text = ""
        while let byte = try? handle.read(upToCount: 1)?.first, byte != 10 {
            text.unicodeScalars.append(Unicode.Scalar(byte))
        }
        return text
    }
}

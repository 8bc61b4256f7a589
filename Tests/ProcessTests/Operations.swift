import Foundation
import Glibc
import LinuxIO
import LocalSockets
import Messages
import StateFiles
import Testing

typealias ConsoleChannel = FrameChannel<ConsoleReply, ConsoleRequest>

/// What a person gives to an operation and gets from it.
struct Person {
    static let password = "Correct horse 9"

    /// The fields of a pipe with secrets.
    static func fields(_ fields: [(SecretField, String)]) -> [UInt8] {
        fields.flatMap { field, text in
            let bytes = Array(text.utf8)
            return [field.rawValue, UInt8(bytes.count & 255), UInt8(bytes.count >> 8)] + bytes
        }
    }

    /// The fields in what came out of an operation.
    static func fields(in bytes: [UInt8]) -> [UInt8: String] {
        var found: [UInt8: String] = [:]
        var place = 0
        while place + 3 <= bytes.count {
            let end = place + 3 + Int(bytes[place + 1]) + Int(bytes[place + 2]) << 8
            guard end <= bytes.count else { break }
            found[bytes[place]] = String(decoding: bytes[(place + 3)..<end], as: UTF8.self)
            place = end
        }
        return found
    }

    /// A pipe with these bytes in it, its writing end closed.
    static func pipe(_ bytes: [UInt8]) throws -> FileDescriptor {
        let pipe = try LinuxIO.Pipe()
        let writing = pipe.writing
        _ = try bytes.withUnsafeBytes { try Kernel.write(writing.number, $0) }
        return pipe.reading
    }

    /// All that comes out of a pipe until its other end is closed.
    static func read(_ pipe: borrowing FileDescriptor) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while case .moved(let count) = try buffer.withUnsafeMutableBytes({
            try Kernel.read(pipe.number, into: $0)
        }) {
            bytes += buffer[..<count]
        }
        return bytes
    }
}

extension FrameChannel where Incoming == ConsoleReply, Outgoing == ConsoleRequest {
    func hand(_ what: Outgoing, _ descriptor: consuming FileDescriptor) throws {
        try send(what, passing: descriptor, at: Kernel.timeSinceBoot())
    }

    /// Asks for an operation and waits for its answer; progress in between is dropped.
    func operate(
        _ request: VaultRequest, secrets: [UInt8]? = nil
    ) throws -> Result<VaultAnswer, VaultRefusal> {
        if let secrets { try hand(.secretInput, try Person.pipe(secrets)) }
        try send(.operation(request), at: Kernel.timeSinceBoot())
        return try answer()
    }

    /// The answer to the operation that was asked for.
    func answer() throws -> Result<VaultAnswer, VaultRefusal> {
        while true {
            for reply in try wait(.seconds(120)) {
                if case .operationAnswer(let answer) = reply { return answer }
                guard case .progress = reply else { throw Missing(what: "an answer: \(reply)") }
            }
        }
    }

    /// Creates a wallet; its id and what came out for the person.
    func createWallet(
        _ name: String, kind: VaultKind = .wallet, kdf: PasswordKDF
    ) throws -> (id: VaultID, secrets: [UInt8: String]) {
        let output = try LinuxIO.Pipe()
        try hand(.output, output.writing)
        let answer = try operate(
            .create(
                NewVault(kind: kind, name: name, kdf: kdf), words: 12, usesDice: false,
                hasPassphrase: false),
            secrets: Person.fields([(.newPassword, Person.password)]))
        guard case .success(.made(let id, _, _, _)) = answer else {
            throw Missing(what: "a wallet: \(answer)")
        }
        return (id, Person.fields(in: try Person.read(output.reading)))
    }
}

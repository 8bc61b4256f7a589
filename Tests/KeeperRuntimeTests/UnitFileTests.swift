import Foundation
import Testing

/// systemd/bulkhead.service, by what systemd says of it.
@Suite("Unit file")
struct UnitFileTests {
    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "systemd")

    private var lines: [Substring] {
        get throws {
            try String(contentsOf: Self.folder.appending(path: "bulkhead.service"), encoding: .utf8)
                .split(separator: "\n", omittingEmptySubsequences: false)
        }
    }

    /// A copy that names a program which is there, since ours is not installed.
    private func analyze(_ arguments: [String]) throws -> (status: Int32, said: String) {
        let folder = URL(filePath: "/tmp/bulkhead-unit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let text = try lines.joined(separator: "\n")
            .replacing("/usr/lib/bulkhead/bulkheadd", with: "/bin/true")
        let file = folder.appending(path: "bulkhead.service")
        try Data(text.utf8).write(to: file)

        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/systemd-analyze")
        process.arguments = arguments + [file.path]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let said = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: said, as: UTF8.self))
    }

    private func systemdVersion() throws -> Int {
        let said = try analyze(["--version"]).said
        return Int(said.split(separator: " ").dropFirst().first ?? "") ?? 0
    }

    @Test("systemd finds nothing to say about the unit")
    func verify() throws {
        let (status, said) = try analyze(["verify"])
        #expect(status == 0)
        // The unit's own comment names the one line that systemd before 257 ignores.
        let isOld = try systemdVersion() < 257
        let complaints = said.split(separator: "\n").filter { line in
            !(isOld && line.hasSuffix("ignoring: identity"))
        }
        #expect(complaints.isEmpty, "\(said)")
    }

    @Test("the exposure is at most 3.0, or one line's worth more where systemd does not know it")
    func exposure() throws {
        let limit = try systemdVersion() < 257 ? 32 : 30
        let (status, said) = try analyze([
            "security", "--offline=true", "--no-pager", "--threshold=\(limit)",
        ])
        #expect(said.contains("Overall exposure level"))
        #expect(status == 0, "\(said)")
    }

    @Test(
        "the keeper starts with what the unit leaves it of /proc",
        .enabled(if: isWallTested && geteuid() == 0))
    func processFiles() throws {
        let settings = try lines
        let options = [
            settings.contains("ProtectProc=invisible") ? "hidepid=invisible" : nil,
            settings.contains("ProcSubset=pid") ? "subset=pid" : nil,
        ].compactMap { $0 }
        #expect(!options.isEmpty)
        let keeper = try KeeperUnderTest(.root)
        let mount = "mount -t proc -o \(options.joined(separator: ",")) proc /proc"
        try keeper.launch(under: ["unshare", "--mount", "sh", "-c", mount + #" && exec "$0" "$@""#])
        try keeper.waitForLog("ready on ")
    }

    @Test("every setting has its reason in the line before it")
    func reasons() throws {
        var previous: Substring = ""
        var settings = 0
        for line in try lines {
            if line.contains("="), !line.hasPrefix("#") {
                settings += 1
                #expect(previous.hasPrefix("# "), "\(line)")
            }
            previous = line
        }
        #expect(settings > 30)
    }

    @Test("the users and groups of the unit, of sysusers.d and of the settings are the same")
    func accounts() throws {
        let users = try String(
            contentsOf: Self.folder.appending(path: "sysusers.d/bulkhead.conf"), encoding: .utf8)
        for (kind, name) in [
            ("u", "bulkhead-signer"), ("u", "bulkhead-network"), ("g", "bulkhead"),
        ] {
            let declared = users.split(separator: "\n").contains { line in
                line.split(separator: " ").starts(with: [Substring(kind), Substring(name)])
            }
            #expect(declared, "\(name)")
        }
    }
}

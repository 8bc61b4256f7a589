import Foundation
import Glibc

/// Starts programs of this package, as the keeper does but in no namespaces.
public enum ProgramBeside {
    /// A program that could not be started: one that is not built, most of the time.
    public struct NotStarted: Error, CustomStringConvertible {
        let path: String
        let code: Int32

        /// Which one, and why.
        public var description: String {
            "\(path): \(String(cString: strerror(code))); is it built?"
        }
    }

    /// Starts the program of this name that lies beside this one, with these descriptors from 3 on,
    /// standard input and output closed and an environment as the keeper gives it.
    ///
    /// - Returns: Its pid.
    public static func start(
        _ name: String, _ arguments: [String], _ descriptors: [Int32]
    ) throws(NotStarted) -> Int32 {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let path = own.deletingLastPathComponent().appendingPathComponent(name).path
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for number: Int32 in 0...1 {
            posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
        }
        // Out of the way first, or one could overwrite another.
        let high = descriptors.map { fcntl($0, F_DUPFD_CLOEXEC, 100) }
        defer { for number in high { close(number) } }
        for (index, number) in high.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, number, Int32(3 + index))
        }
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] = [
            strdup("SWIFT_BACKTRACE=enable=no"), nil,
        ]
        defer { for word in words + environment { free(word) } }
        var pid: pid_t = 0
        let error = posix_spawn(&pid, path, &actions, nil, &words, &environment)
        guard error == 0 else { throw NotStarted(path: path, code: error) }
        return pid
    }
}

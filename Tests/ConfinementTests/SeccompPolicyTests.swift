import CSeccomp
import SeccompPolicies
import Testing

@testable import Confinement

@Suite("The policies in seccomp/")
struct SeccompPolicyTests {
    @Test(
        "each parses, and every call in it exists on its architectures",
        arguments: PolicyName.allCases)
    func parsesAndResolves(_ name: PolicyName) throws {
        let policy = try SeccompPolicy(name)
        #expect(!policy.rules.isEmpty)
        #expect(policy.header.contains("oaded"), "the header says when it is loaded")
        for architecture in Architecture.allCases {
            #expect(policy.unknownCall(on: architecture) == nil)
            let filter = try SeccompFilter(compiling: policy, for: architecture)
            #expect((1...4096).contains(filter.instructionCount))
        }
    }

    @Test("a call that does not exist on an architecture is named with its line")
    func unknownCall() throws {
        let policy = try policy("# T.\nread: allow # r\nvfork: allow # w\n")
        #expect(policy.unknownCall(on: .x86_64) == nil)
        #expect(
            policy.unknownCall(on: .aarch64)
                == PolicyError(file: "test", line: 3, problem: .unknownCall("vfork", .aarch64)))
        #expect(throws: ConfinementError.self) {
            try SeccompFilter(compiling: policy, for: .aarch64)
        }
    }

    @Test("no policy allows what would undo the wall", arguments: PolicyName.allCases)
    func forbidden(_ name: PolicyName) throws {
        let calls = Set(try SeccompPolicy(name).rules.filter { $0.verdict == .allow }.map(\.call))
        #expect(calls.isDisjoint(with: DangerousCalls.everywhere))
        switch name {
        case .common, .selfReport, .signer, .signerWorker, .console, .consoleProbe:
            #expect(calls.isDisjoint(with: DangerousCalls.outgoing))
        case .network, .networkProbe: break
        }
    }

    @Test("nothing in any policy makes memory executable")
    func executable() throws {
        let execute: UInt64 = 4
        var seen = 0
        for name in PolicyName.allCases {
            for rule in try SeccompPolicy(name).rules
            where ["mmap", "mprotect", "pkey_mprotect"].contains(rule.call) {
                seen += 1
                for architecture in Architecture.allCases {
                    var registers = Wall.registers(meeting: rule, on: architecture)
                    registers[2] |= execute
                    #expect(!rule.matches(arguments: registers, on: architecture), "\(rule)")
                }
            }
        }
        #expect(seen >= 4)
    }

    @Test("a worker may do nothing that its broker may not, since both filters judge it")
    func workerWithinBroker() throws {
        let broker = try SeccompPolicy(.signer)
        for rule in try SeccompPolicy(.signerWorker).rules {
            let registers = Wall.registers(meeting: rule)
            #expect(
                broker.rule(for: rule.call, arguments: registers)?.verdict == rule.verdict,
                "\(rule)")
        }
    }
}

/// Calls that a process could leave its wall with.
enum DangerousCalls {
    /// In no policy at all.
    static let everywhere: Set<String> = [
        "acct", "add_key", "bind", "bpf", "chmod", "chown", "chroot", "clone3", "delete_module",
        "dup", "dup2", "dup3", "execve", "execveat", "fanotify_init", "finit_module", "fsconfig",
        "fsmount", "fsopen", "init_module", "io_uring_enter", "io_uring_register",
        "io_uring_setup", "ioperm", "iopl", "kcmp", "kexec_load", "keyctl", "link", "linkat",
        "listen", "memfd_create", "memfd_secret", "mknod", "mknodat", "mount", "mount_setattr",
        "move_mount", "name_to_handle_at", "open_by_handle_at", "open_tree", "perf_event_open",
        "pidfd_getfd", "pidfd_open", "pidfd_send_signal", "pivot_root", "pkey_mprotect",
        "process_madvise", "process_vm_readv", "process_vm_writev", "ptrace", "quotactl",
        "reboot", "request_key", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "sethostname", "setgid",
        "setgroups", "setns", "setpgid", "setpriority", "setresgid", "setresuid", "setsid",
        "setuid", "shmat", "shmget", "socketpair", "swapon", "symlink", "symlinkat", "syslog",
        "tgkill", "tkill", "umount2", "unshare", "userfaultfd", "vfork", "vmsplice",
    ]
    /// Only the network process makes sockets.
    static let outgoing: Set<String> = ["connect", "sendto", "socket"]
}

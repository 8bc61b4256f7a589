/// One argument of a system call that a policy line may name.
public struct SystemCallArgument: Hashable, Sendable {
    /// The kernel's name for it.
    public let name: String
    /// Its place, counted from zero.
    public let index: Int
    /// Whether the kernel reads all 64 bits. Of an `int` it reads the lower 32, so only those are
    /// compared: a caller may leave anything in the upper half.
    public let isWord: Bool

    /// The bits of the register that the kernel reads.
    public var significantBits: UInt64 { isWord ? .max : 0xFFFF_FFFF }
}

/// The arguments of the calls whose policy lines carry conditions, as the kernel declares them.
///
/// `*` marks a 64-bit argument (a pointer, a size, an `unsigned long`). The list holds only what is
/// in the same place on x86_64 and aarch64; the last arguments of `clone` are not.
enum SystemCallArguments {
    private static let signatures: [String: String] = [
        "accept4": "fd address* length* flags",
        "bind": "fd address* length",
        "clone": "flags* stack*",
        "close_range": "first last flags",
        "connect": "fd address* length",
        "faccessat": "dirfd path* mode",
        "fcntl": "fd cmd arg*",
        "futex": "address* op value timeout*",
        "getsockopt": "fd level option value* length*",
        "ioctl": "fd request arg*",
        "kill": "pid signal",
        "madvise": "address* length* advice",
        "mmap": "address* length* prot* flags* fd* offset*",
        "mprotect": "address* length* prot*",
        "mremap": "old* old_length* new_length* flags* new*",
        "openat": "dirfd path* flags mode",
        "prctl": "option arg2* arg3* arg4* arg5*",
        "prlimit64": "pid resource new* old*",
        "pwritev2": "fd vector* count* position* high* flags",
        "read": "fd buffer* length*",
        "recvfrom": "fd buffer* length* flags address* address_length*",
        "recvmsg": "fd message* flags",
        "rt_sigaction": "signal new* old* size*",
        "rt_sigprocmask": "how new* old* size*",
        "seccomp": "operation flags args*",
        "sendmsg": "fd message* flags",
        "sendto": "fd buffer* length* flags address* address_length",
        "setitimer": "which new* old*",
        "setsockopt": "fd level option value* length",
        "socket": "domain type protocol",
        "tgkill": "group thread signal",
        "unlinkat": "dirfd path* flags",
        "wait4": "pid status* options usage*",
        "write": "fd buffer* length*",
    ]

    /// The arguments of `call` in order; nil if no line may put a condition on it.
    static func of(_ call: String) -> [SystemCallArgument]? {
        signatures[call]?.split(separator: " ").enumerated().map { index, word in
            SystemCallArgument(
                name: String(word.last == "*" ? word.dropLast() : word), index: index,
                isWord: word.last == "*")
        }
    }
}

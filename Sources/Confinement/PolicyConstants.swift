/// The names that policies use for numbers, with the kernel's values.
enum PolicyConstants {
    /// The value of `name`; nil if the table does not have it.
    static func value(_ name: String, on architecture: Architecture) -> UInt64? {
        if architecture == .aarch64, let value = aarch64[name] { return value }
        return common[name]
    }

    /// The number of an error name, the same on both architectures.
    static func errno(_ name: String) -> Int32? { errors[name] }

    private static let errors: [String: Int32] = [
        "EPERM": 1, "ENOENT": 2, "EBADF": 9, "EACCES": 13, "EINVAL": 22, "ENOTTY": 25,
        "ENOSYS": 38, "EOPNOTSUPP": 95, "EAFNOSUPPORT": 97,
    ]

    /// Open flags whose bits Arm chose differently.
    private static let aarch64: [String: UInt64] = [
        "O_DIRECTORY": 0o40000, "O_NOFOLLOW": 0o100000, "O_DIRECT": 0o200000,
        "O_LARGEFILE": 0o400000,
    ]

    private static let common: [String: UInt64] = [
        "NULL": 0, "NONE": 0,
        "AF_UNIX": 1, "AF_INET": 2, "AF_INET6": 10,
        "SOCK_STREAM": 1, "SOCK_DGRAM": 2, "SOCK_NONBLOCK": 0o4000, "SOCK_CLOEXEC": 0o2000000,
        "IPPROTO_IP": 0, "IPPROTO_TCP": 6, "IPPROTO_IPV6": 41,
        "SOL_SOCKET": 1, "SO_ERROR": 4, "SO_SNDBUF": 7, "SO_RCVBUF": 8, "SO_KEEPALIVE": 9,
        "SO_PEERCRED": 17, "SO_TYPE": 3, "TCP_NODELAY": 1, "TCP_KEEPIDLE": 4, "TCP_KEEPINTVL": 5,
        "MSG_PEEK": 2, "MSG_DONTWAIT": 0x40, "MSG_NOSIGNAL": 0x4000,
        "MSG_CMSG_CLOEXEC": 0x4000_0000,

        "PROT_READ": 1, "PROT_WRITE": 2,
        "MAP_SHARED": 1, "MAP_PRIVATE": 2, "MAP_FIXED": 0x10, "MAP_ANONYMOUS": 0x20,
        "MAP_NORESERVE": 0x4000, "MAP_POPULATE": 0x8000, "MAP_STACK": 0x20000,
        "MREMAP_MAYMOVE": 1,
        "MADV_NORMAL": 0, "MADV_RANDOM": 1, "MADV_SEQUENTIAL": 2, "MADV_WILLNEED": 3,
        "MADV_DONTNEED": 4, "MADV_FREE": 8, "MADV_DONTDUMP": 16, "MADV_DODUMP": 17,
        "MADV_WIPEONFORK": 18,

        "AT_FDCWD": 0xFFFF_FF9C, "AT_REMOVEDIR": 0x200,
        "O_RDONLY": 0, "O_WRONLY": 1, "O_RDWR": 2, "O_CREAT": 0o100, "O_EXCL": 0o200,
        "O_NOCTTY": 0o400, "O_TRUNC": 0o1000, "O_APPEND": 0o2000, "O_NONBLOCK": 0o4000,
        "O_CLOEXEC": 0o2000000, "O_PATH": 0o10000000, "O_DIRECT": 0o40000,
        "O_LARGEFILE": 0o100000, "O_DIRECTORY": 0o200000, "O_NOFOLLOW": 0o400000,
        "F_GETFD": 1, "F_SETFD": 2, "F_GETFL": 3, "F_SETFL": 4, "F_GETLK": 5, "F_SETLK": 6,
        "F_DUPFD_CLOEXEC": 1030, "F_ADD_SEALS": 1033, "F_GET_SEALS": 1034, "FD_CLOEXEC": 1,

        "CLONE_CHILD_CLEARTID": 0x20_0000, "CLONE_CHILD_SETTID": 0x100_0000,
        "SIGABRT": 6, "SIGKILL": 9, "SIGALRM": 14, "SIGCHLD": 17,
        "WNOHANG": 1, "ITIMER_REAL": 0,
        "SIG_BLOCK": 0, "SIG_UNBLOCK": 1, "SIG_SETMASK": 2,

        "PR_SET_PDEATHSIG": 1, "PR_GET_DUMPABLE": 3, "PR_SET_DUMPABLE": 4, "PR_SET_NAME": 15,
        "PR_GET_SECCOMP": 21, "PR_CAPBSET_READ": 23, "PR_GET_NO_NEW_PRIVS": 39,
        "PR_GET_MDWE": 66, "PR_SET_VMA": 0x53564D41,
        "SECCOMP_SET_MODE_FILTER": 1,
        "RLIMIT_CPU": 0, "RLIMIT_FSIZE": 1, "RLIMIT_DATA": 2, "RLIMIT_CORE": 4,
        "RLIMIT_NPROC": 6, "RLIMIT_NOFILE": 7, "RLIMIT_MEMLOCK": 8, "RLIMIT_AS": 9,

        "FUTEX_WAIT": 0, "FUTEX_WAKE": 1, "FUTEX_WAIT_BITSET": 9, "FUTEX_PRIVATE_FLAG": 128,
        "FUTEX_CLOCK_REALTIME": 256,

        "TCGETS": 0x5401, "TCSETS": 0x5402, "TCSETSW": 0x5403, "TCSETSF": 0x5404,
        "TIOCGWINSZ": 0x5413, "FIONREAD": 0x541B,
    ]
}

#define _GNU_SOURCE
#include "include/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/io_uring.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

// Each attempt returns -1 with errno set if it was refused, anything else if it reached its goal.
typedef long attempt(const struct probe_request *);

static long open_file(const struct probe_request *request) {
    return open(request->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
}

static long open_directory(const struct probe_request *request) {
    return open(request->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static long create_file(const struct probe_request *request) {
    long file = open(request->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file >= 0) unlink(request->path);
    return file;
}

static long connect_unix(const char *path, size_t offset) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    if (length + offset >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(address.sun_path + offset, path, length);
    int end = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (end < 0) return -1;
    // A filled address: the abstract name has no terminating zero.
    socklen_t size = offsetof(struct sockaddr_un, sun_path) + offset + length + !offset;
    long result = connect(end, (struct sockaddr *)&address, size);
    // A full queue of waiting connections was reached as surely as an open one.
    return result < 0 && errno == EAGAIN ? 0 : result;
}

static long connect_path(const struct probe_request *request) {
    return connect_unix(request->path, 0);
}

static long connect_abstract(const struct probe_request *request) {
    return connect_unix(request->path, 1);
}

static long execute(const struct probe_request *request) {
    char *arguments[] = {(char *)request->path, "-c", "exit 0", NULL};
    char *environment[] = {NULL};
    return execve(request->path, arguments, environment);
}

static long attach(const struct probe_request *request) {
    return ptrace(PTRACE_SEIZE, request->argument, NULL, NULL);
}

static long signal_process(const struct probe_request *request) {
    return kill(request->argument, 0);
}

static long read_memory(const struct probe_request *request) {
    char byte;
    struct iovec here = {&byte, 1}, there = {(void *)4096, 1};
    long result = process_vm_readv(request->argument, &here, 1, &there, 1, 0);
    // The address need not be mapped; the kernel looked for it, which is as good as read.
    return result < 0 && errno == EFAULT ? 0 : result;
}

static long open_memory(const struct probe_request *request) {
    char path[32] = "/proc/", digits[12];
    size_t count = 0, end = 6;
    unsigned pid = (unsigned)request->argument;
    do digits[count++] = (char)('0' + pid % 10); while ((pid /= 10) != 0);
    while (count > 0) path[end++] = digits[--count];
    memcpy(path + end, "/mem", 5);
    return open(path, O_RDONLY | O_CLOEXEC);
}

static long steal_descriptor(const struct probe_request *request) {
    long process = syscall(SYS_pidfd_open, request->argument, 0);
    return process < 0 ? process : syscall(SYS_pidfd_getfd, process, 0, 0);
}

static long make_socket(const struct probe_request *request) {
    static const int types[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW, SOCK_SEQPACKET};
    long result = -1;
    for (size_t index = 0; result < 0 && index < sizeof types / sizeof *types; index++) {
        result = socket(request->argument, types[index] | SOCK_CLOEXEC, 0);
    }
    return result;
}

static long listen_tcp(const struct probe_request *request) {
    (void)request;
    struct sockaddr_in address = {.sin_family = AF_INET};
    int end = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (end < 0) return -1;
    if (bind(end, (struct sockaddr *)&address, sizeof address) < 0) return -1;
    return listen(end, 1);
}

static long start_process(const struct probe_request *request) {
    (void)request;
    long pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (pid == 0) _exit(0);
    return pid;
}

static long load_bpf(const struct probe_request *request) {
    (void)request;
    struct bpf_insn program[] = {
        {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
        {.code = BPF_JMP | BPF_EXIT},
    };
    union bpf_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.prog_type = BPF_PROG_TYPE_SOCKET_FILTER;
    attributes.insns = (uintptr_t)program;
    attributes.insn_cnt = sizeof program / sizeof *program;
    attributes.license = (uintptr_t) "GPL";
    return syscall(SYS_bpf, BPF_PROG_LOAD, &attributes, sizeof attributes);
}

static long make_ring(const struct probe_request *request) {
    (void)request;
    struct io_uring_params parameters;
    memset(&parameters, 0, sizeof parameters);
    return syscall(SYS_io_uring_setup, 1, &parameters);
}

static long handle_faults(const struct probe_request *request) {
    (void)request;
    return syscall(SYS_userfaultfd, O_CLOEXEC | 1 /* faults of user code only */);
}

static long use_keyrings(const struct probe_request *request) {
    (void)request;
    return syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 1);
}

static long watch_events(const struct probe_request *request) {
    (void)request;
    struct perf_event_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.exclude_kernel = 1;
    return syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
}

static long make_namespace(const struct probe_request *request) {
    (void)request;
    return unshare(CLONE_NEWUSER);
}

static long mount_something(const struct probe_request *request) {
    (void)request;
    return mount("none", "/", "tmpfs", 0, NULL);
}

static long become_root(const struct probe_request *request) {
    (void)request;
    return setuid(0);
}

static long map_executable(const struct probe_request *request) {
    (void)request;
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? -1 : 0;
}

static long open_by_handle(const struct probe_request *request) {
    (void)request;
    // The root directory of an ext4 file system: type 1, inode 2.
    struct {
        struct file_handle head;
        uint32_t inode[2];
    } handle = {.head = {.handle_bytes = 8, .handle_type = 1}, .inode = {2, 0}};
    int here = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (here < 0) return -1;
    return open_by_handle_at(here, &handle.head, O_RDONLY | O_CLOEXEC);
}

static long type_into_terminal(const struct probe_request *request) {
    (void)request;
    char character = ' ';
    return ioctl(STDIN_FILENO, TIOCSTI, &character);
}

static long call_other_abi(const struct probe_request *request) {
    (void)request;
#if defined(__x86_64__)
    // getpid through the entry of 32-bit programs.
    long result = 20;
    __asm__ volatile("int $0x80" : "+a"(result) : : "r8", "r9", "r10", "r11", "memory");
    if (result >= 0) return result;
    errno = (int)-result;
    return -1;
#else
    // 64-bit Arm has no second entry within one program.
    errno = ENOSYS;
    return -1;
#endif
}

static attempt *const attempts[] = {
    [PROBE_OPEN_FILE] = open_file,
    [PROBE_OPEN_DIRECTORY] = open_directory,
    [PROBE_CREATE_FILE] = create_file,
    [PROBE_CONNECT_UNIX] = connect_path,
    [PROBE_CONNECT_ABSTRACT] = connect_abstract,
    [PROBE_EXECUTE] = execute,
    [PROBE_ATTACH] = attach,
    [PROBE_SIGNAL] = signal_process,
    [PROBE_READ_MEMORY] = read_memory,
    [PROBE_OPEN_MEMORY] = open_memory,
    [PROBE_STEAL_DESCRIPTOR] = steal_descriptor,
    [PROBE_SOCKET] = make_socket,
    [PROBE_LISTEN] = listen_tcp,
    [PROBE_FORK] = start_process,
    [PROBE_BPF] = load_bpf,
    [PROBE_IO_URING] = make_ring,
    [PROBE_USERFAULTFD] = handle_faults,
    [PROBE_KEYCTL] = use_keyrings,
    [PROBE_PERFORMANCE_EVENTS] = watch_events,
    [PROBE_NAMESPACE] = make_namespace,
    [PROBE_MOUNT] = mount_something,
    [PROBE_BECOME_ROOT] = become_root,
    [PROBE_EXECUTABLE_MEMORY] = map_executable,
    [PROBE_OPEN_BY_HANDLE] = open_by_handle,
    [PROBE_TERMINAL_INPUT] = type_into_terminal,
    [PROBE_OTHER_ABI] = call_other_abi,
};

void probe_attempt(const struct probe_request *request,
                            struct probe_record *record) {
    if (request->attempt == 0 || request->attempt >= sizeof attempts / sizeof *attempts) return;
    // A program that replaces this one cannot say so; this stands unless the attempt returns.
    record->result = PROBE_RESULT_REACHED;
    long result = attempts[request->attempt](request);
    if (result == -1) {
        record->number = errno;
        record->result = PROBE_RESULT_REFUSED;
    }
}

#define _GNU_SOURCE
#include "attacks.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void attack_open(const struct drill_goals *goals) {
    tell_from(goals, open(goals->secret_path, O_RDONLY));
}

void attack_climb(const struct drill_goals *goals) {
    char path[512] = "../../../../../../../../../../..";
    strncat(path, goals->secret_path, sizeof path - strlen(path) - 1);
    int here = open(goals->state_path, O_RDONLY | O_DIRECTORY);
    tell_from(goals, openat(here, path, O_RDONLY));
}

void attack_symbolic_link(const struct drill_goals *goals) {
    // The calls with a directory exist on every architecture, so a policy may well allow them.
    unlinkat(AT_FDCWD, own(goals, "symbolic"), 0);
    if (symlinkat(goals->secret_path, AT_FDCWD, own(goals, "symbolic")) < 0) return;
    tell_from(goals, open(own(goals, "symbolic"), O_RDONLY));
}

void attack_hard_link(const struct drill_goals *goals) {
    unlinkat(AT_FDCWD, own(goals, "hard"), 0);
    if (linkat(AT_FDCWD, goals->secret_path, AT_FDCWD, own(goals, "hard"), 0) < 0) return;
    tell_from(goals, open(own(goals, "hard"), O_RDONLY));
}

void attack_process_root(const struct drill_goals *goals) {
    char path[512];
    snprintf(path, sizeof path, "/proc/%d/root%s", goals->victim, goals->secret_path);
    tell_from(goals, open(path, O_RDONLY));
}

// A ring takes its work from memory, so a filter of system calls sees none of it.
struct ring {
    int descriptor;
    unsigned char *queue, *completions;
    struct io_uring_sqe *entries;
    struct io_uring_params parameters;
};

static int ring_open(struct ring *ring) {
    memset(ring, 0, sizeof *ring);
    ring->descriptor = (int)syscall(SYS_io_uring_setup, 4, &ring->parameters);
    if (ring->descriptor < 0) return -1;
    const int prot = PROT_READ | PROT_WRITE, flags = MAP_SHARED | MAP_POPULATE;
    ring->queue = mmap(NULL, 4096, prot, flags, ring->descriptor, IORING_OFF_SQ_RING);
    ring->completions = mmap(NULL, 4096, prot, flags, ring->descriptor, IORING_OFF_CQ_RING);
    ring->entries = mmap(NULL, 4096, prot, flags, ring->descriptor, IORING_OFF_SQES);
    return ring->queue == MAP_FAILED || ring->completions == MAP_FAILED
                   || ring->entries == MAP_FAILED
               ? -1
               : 0;
}

static int ring_do(struct ring *ring, struct io_uring_sqe work) {
    uint32_t *tail = (uint32_t *)(ring->queue + ring->parameters.sq_off.tail);
    uint32_t *mask = (uint32_t *)(ring->queue + ring->parameters.sq_off.ring_mask);
    uint32_t *array = (uint32_t *)(ring->queue + ring->parameters.sq_off.array);
    uint32_t *done = (uint32_t *)(ring->completions + ring->parameters.cq_off.head);
    uint32_t *done_mask = (uint32_t *)(ring->completions + ring->parameters.cq_off.ring_mask);
    struct io_uring_cqe *results =
        (struct io_uring_cqe *)(ring->completions + ring->parameters.cq_off.cqes);
    uint32_t slot = *tail & *mask;
    ring->entries[slot] = work;
    array[slot] = slot;
    __atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
    if (syscall(SYS_io_uring_enter, ring->descriptor, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) < 0) {
        return -1;
    }
    int result = results[*done & *done_mask].res;
    __atomic_store_n(done, *done + 1, __ATOMIC_RELEASE);
    return result;
}

void attack_ring(const struct drill_goals *goals) {
    struct ring ring;
    if (ring_open(&ring) < 0) return;
    int file = ring_do(&ring, (struct io_uring_sqe){.opcode = IORING_OP_OPENAT,
                                                    .fd = AT_FDCWD,
                                                    .addr = (uintptr_t)goals->secret_path,
                                                    .open_flags = O_RDONLY});
    if (file < 0) return;
    char canary[DRILL_CANARY];
    int count = ring_do(&ring, (struct io_uring_sqe){.opcode = IORING_OP_READ,
                                                     .fd = file,
                                                     .addr = (uintptr_t)canary,
                                                     .len = sizeof canary});
    if (count > 0) tell(goals, canary, (size_t)count);
}

void attack_32_bit_entry(const struct drill_goals *goals) {
#if defined(__x86_64__)
    // The old entry takes 32-bit pointers, so path and buffer lie in the lowest memory.
    char *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    if (low == MAP_FAILED) return;
    strncpy(low, goals->secret_path, 1024);
    char *canary = low + 2048;
    enum { OPEN = 5, READ = 3 };
    long file = OPEN;
    __asm__ volatile("int $0x80"
                     : "+a"(file)
                     : "b"(low), "c"(O_RDONLY), "d"(0)
                     : "r8", "r9", "r10", "r11", "memory");
    if (file < 0) return;
    long count = READ;
    __asm__ volatile("int $0x80"
                     : "+a"(count)
                     : "b"(file), "c"(canary), "d"(DRILL_CANARY)
                     : "r8", "r9", "r10", "r11", "memory");
    if (count > 0) tell(goals, canary, (size_t)count);
#else
    (void)goals;
#endif
}

static void shell_command(const struct drill_goals *goals, char *text, size_t size) {
    snprintf(text, size, "exec cat '%s' >&%d", goals->secret_path, goals->evidence);
}

void attack_shell(const struct drill_goals *goals) {
    char command[512];
    shell_command(goals, command, sizeof command);
    char *arguments[] = {"/bin/sh", "-c", command, NULL};
    char *environment[] = {"PATH=/bin:/usr/bin", NULL};
    execve("/bin/sh", arguments, environment);
}

void attack_memory_program(const struct drill_goals *goals) {
    char command[512], script[600];
    shell_command(goals, command, sizeof command);
    snprintf(script, sizeof script, "#!/bin/sh\n%s\n", command);
    int file = memfd_create("program", 0);
    if (file < 0 || write(file, script, strlen(script)) < 0) return;
    char *arguments[] = {"program", NULL};
    char *environment[] = {"PATH=/bin:/usr/bin", NULL};
    fexecve(file, arguments, environment);
}

void attack_make_file(const struct drill_goals *goals) {
    open(goals->made_path, O_WRONLY | O_CREAT | O_EXCL, 0600);
}

void attack_rename_out(const struct drill_goals *goals) {
    int file = open(own(goals, "moved"), O_WRONLY | O_CREAT, 0600);
    if (file >= 0) renameat(AT_FDCWD, own(goals, "moved"), AT_FDCWD, goals->made_path);
}

void attack_spoil_file(const struct drill_goals *goals) {
    int file = open(goals->spoiled_path, O_WRONLY | O_TRUNC);
    if (file >= 0 && write(file, "spoiled", 7) < 0) return;
}

void attack_remove_file(const struct drill_goals *goals) {
    unlinkat(AT_FDCWD, goals->spoiled_path, 0);
}

// The same once more with the very flags that the signer's policy allows for its own files: a filter
// cannot judge paths, so here it is no wall for the signer.

void attack_open_as_signer(const struct drill_goals *goals) {
    const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    tell_from(goals, openat(AT_FDCWD, goals->secret_path, flags));
}

static int make_as_signer(const char *path) {
    return openat(AT_FDCWD, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

void attack_make_as_signer(const struct drill_goals *goals) {
    make_as_signer(goals->made_path);
}

void attack_move_as_signer(const struct drill_goals *goals) {
    // One that another cell's wall has kept here will do.
    if (make_as_signer(own(goals, "moved as the signer does")) < 0 && errno != EEXIST) return;
    renameat(AT_FDCWD, own(goals, "moved as the signer does"), AT_FDCWD, goals->made_path);
}

void attack_spoil_as_signer(const struct drill_goals *goals) {
    const int flags = O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    int file = openat(AT_FDCWD, goals->spoiled_path, flags);
    if (file >= 0 && write(file, "spoiled", 7) < 0) return;
}

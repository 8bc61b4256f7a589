#define _GNU_SOURCE
#include "attacks.h"

#include <fcntl.h>
#include <linux/keyctl.h>
#include <mqueue.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void attack_kill(const struct drill_goals *goals) {
    kill(goals->victim, SIGKILL);
}

void attack_stop(const struct drill_goals *goals) {
    kill(goals->victim, SIGSTOP);
}

void attack_queue_signal(const struct drill_goals *goals) {
    sigqueue(goals->victim, SIGKILL, (union sigval){0});
}

void attack_pidfd_signal(const struct drill_goals *goals) {
    long process = syscall(SYS_pidfd_open, goals->victim, 0);
    if (process >= 0) syscall(SYS_pidfd_send_signal, process, SIGKILL, NULL, 0);
}

void attack_owner_signal(const struct drill_goals *goals) {
    // The kernel sends SIGIO, which kills, to whomever a socket names as its owner.
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0) return;
    if (fcntl(ends[0], F_SETOWN, goals->victim) < 0) return;
    if (fcntl(ends[0], F_SETFL, O_ASYNC | O_NONBLOCK) < 0) return;
    if (write(ends[1], "x", 1) < 0) return;
}

void attack_trace(const struct drill_goals *goals) {
    if (ptrace(PTRACE_SEIZE, goals->victim, NULL, NULL) < 0) return;
    if (ptrace(PTRACE_INTERRUPT, goals->victim, NULL, NULL) < 0) return;
    if (waitpid(goals->victim, NULL, __WALL) < 0) return;
    long words[DRILL_CANARY / sizeof(long)];
    for (size_t index = 0; index < sizeof words / sizeof *words; index++) {
        words[index] = ptrace(PTRACE_PEEKDATA, goals->victim,
                              goals->victim_memory + index * sizeof(long), NULL);
    }
    tell(goals, words, sizeof words);
}

void attack_read_memory(const struct drill_goals *goals) {
    char canary[DRILL_CANARY];
    struct iovec here = {canary, sizeof canary};
    struct iovec there = {(void *)(uintptr_t)goals->victim_memory, sizeof canary};
    ssize_t count = process_vm_readv(goals->victim, &here, 1, &there, 1, 0);
    if (count > 0) tell(goals, canary, (size_t)count);
}

void attack_memory_file(const struct drill_goals *goals) {
    char path[64], canary[DRILL_CANARY];
    snprintf(path, sizeof path, "/proc/%d/mem", goals->victim);
    int file = open(path, O_RDONLY);
    if (file < 0) return;
    ssize_t count = pread(file, canary, sizeof canary, (off_t)goals->victim_memory);
    if (count > 0) tell(goals, canary, (size_t)count);
}

void attack_write_memory(const struct drill_goals *goals) {
    char spoiled[DRILL_CANARY] = "spoiled";
    struct iovec here = {spoiled, sizeof spoiled};
    struct iovec there = {(void *)(uintptr_t)goals->victim_memory, sizeof spoiled};
    process_vm_writev(goals->victim, &here, 1, &there, 1, 0);
}

void attack_steal_descriptor(const struct drill_goals *goals) {
    long process = syscall(SYS_pidfd_open, goals->victim, 0);
    if (process < 0) return;
    long copy = syscall(SYS_pidfd_getfd, process, goals->victim_descriptor, 0);
    char canary[DRILL_CANARY];
    ssize_t count = copy < 0 ? -1 : pread((int)copy, canary, sizeof canary, 0);
    if (count > 0) tell(goals, canary, (size_t)count);
}

void attack_limit_other(const struct drill_goals *goals) {
    struct rlimit few = {3, 3};
    prlimit(goals->victim, RLIMIT_NOFILE, &few, NULL);
}

void attack_slow_other(const struct drill_goals *goals) {
    setpriority(PRIO_PROCESS, (id_t)goals->victim, 19);
}

void attack_shared_memory(const struct drill_goals *goals) {
    void *memory = shmat(goals->shared_memory, NULL, SHM_RDONLY);
    if (memory != (void *)-1) tell(goals, memory, DRILL_CANARY);
}

void attack_queue(const struct drill_goals *goals) {
    char canary[DRILL_CANARY];
    mqd_t queue = mq_open(goals->queue_name, O_RDWR | O_NONBLOCK);
    if (queue < 0) return;
    ssize_t count = mq_receive(queue, canary, sizeof canary, NULL);
    if (count <= 0) return;
    tell(goals, canary, (size_t)count);
    // For the next who tries.
    mq_send(queue, canary, (size_t)count, 0);
}

void attack_keyring(const struct drill_goals *goals) {
    char canary[DRILL_CANARY];
    long key = syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_USER_KEYRING, "user", goals->key_name, 0);
    if (key < 0) return;
    long count = syscall(SYS_keyctl, KEYCTL_READ, key, canary, sizeof canary, 0);
    if (count == DRILL_CANARY) tell(goals, canary, sizeof canary);
}

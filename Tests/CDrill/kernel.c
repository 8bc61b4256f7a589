#define _GNU_SOURCE
#include "attacks.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// A function that returns 42.
#if defined(__x86_64__)
static const unsigned char code[] = {0xb8, 42, 0, 0, 0, 0xc3};
#else
static const unsigned char code[] = {0x40, 0x05, 0x80, 0x52, 0xc0, 0x03, 0x5f, 0xd6};
#endif

static void run_code(const struct drill_goals *goals, void *memory) {
    __builtin___clear_cache(memory, (char *)memory + sizeof code);
    int (*function)(void) = (int (*)(void))memory;
    if (function() == 42) confess(goals);
}

void attack_executable_memory(const struct drill_goals *goals) {
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    memcpy(memory, code, sizeof code);
    run_code(goals, memory);
}

void attack_executable_later(const struct drill_goals *goals) {
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    memcpy(memory, code, sizeof code);
    if (mprotect(memory, 4096, PROT_READ | PROT_EXEC) == 0) run_code(goals, memory);
}

void attack_executable_file(const struct drill_goals *goals) {
    int file = open(own(goals, "code"), O_RDWR | O_CREAT, 0700);
    if (file < 0 || write(file, code, sizeof code) < 0) return;
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
    if (memory != MAP_FAILED) run_code(goals, memory);
}

void attack_user_namespace(const struct drill_goals *goals) {
    if (unshare(CLONE_NEWUSER) < 0) return;
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {{0}};
    if (syscall(SYS_capget, &header, sets) == 0 && sets[0].effective != 0) confess(goals);
}

void attack_setuid_program(const struct drill_goals *goals) {
    char *arguments[] = {(char *)goals->setuid_path, (char *)goals->root_path, NULL};
    char *environment[] = {NULL};
    execve(goals->setuid_path, arguments, environment);
}

void attack_fork(const struct drill_goals *goals) {
    pid_t child = fork();
    if (child == 0) {
        confess(goals);
        _exit(0);
    }
    // Where this one is process 1 of its namespace, the other would end with it before it has run.
    if (child > 0) waitpid(child, NULL, 0);
}

void attack_descriptor_flood(const struct drill_goals *goals) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    for (int count = 0; count < 5000; count++) {
        if (open(goals->state_path, O_RDONLY | O_DIRECTORY) < 0) return;
    }
    confess(goals);
}

void attack_huge_file(const struct drill_goals *goals) {
    int file = open(own(goals, "huge"), O_RDWR | O_CREAT, 0600);
    if (file < 0) return;
    if (ftruncate(file, 1LL << 40) == 0) confess(goals);
    unlinkat(AT_FDCWD, own(goals, "huge"), 0);
}

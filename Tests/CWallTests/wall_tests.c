#define _GNU_SOURCE
#include "include/wall_tests.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COULD_NOT_LOAD = 99 };

static void run(const void *program, unsigned short count, long number, const uint64_t *r) {
    struct sock_fprog filter = {.len = count, .filter = (struct sock_filter *)program};
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    // A call that waits for ever ends all the same.
    signal(SIGALRM, SIG_DFL);
    alarm(10);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) _exit(COULD_NOT_LOAD);
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) < 0) _exit(COULD_NOT_LOAD);
    syscall(number, r[0], r[1], r[2], r[3], r[4], r[5]);
    // Even the end may not be permitted by the policy of a test; then the process dies here.
    syscall(SYS_exit_group, 0);
}

int wall_call(const void *program, unsigned short count, long number, const uint64_t *registers) {
    pid_t child = fork();
    if (child == 0) run(program, count, number, registers);
    if (child < 0) return -errno;
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return -errno;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == COULD_NOT_LOAD) return -EPERM;
    return status;
}

int wall_signal(int status) {
    return status >= 0 && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

int wall_ended_well(int status) {
    return status >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int wall_terminal(int *outer) {
    *outer = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (*outer < 0 || grantpt(*outer) < 0 || unlockpt(*outer) < 0) return -errno;
    int inner = open(ptsname(*outer), O_RDWR | O_NOCTTY | O_CLOEXEC);
    return inner < 0 ? -errno : inner;
}

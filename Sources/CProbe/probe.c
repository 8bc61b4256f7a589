#define _GNU_SOURCE
#include "include/probe.h"

#include <confinement.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static bool transfer_in(int channel, void *buffer, size_t length) {
    char *next = buffer;
    while (length > 0) {
        ssize_t count = read(channel, next, length);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        next += count;
        length -= (size_t)count;
    }
    return true;
}

static bool transfer_out(int channel, const void *buffer, size_t length) {
    const char *next = buffer;
    while (length > 0) {
        ssize_t count = write(channel, next, length);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        next += count;
        length -= (size_t)count;
    }
    return true;
}

// One request: a grandchild makes the attempt and leaves the record in memory shared with it.
static void serve(const struct probe_request *request,
                  struct probe_record *shared, struct probe_record *record) {
    *shared = (struct probe_record){.attempt = request->attempt,
                                             .argument = request->argument};
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        probe_attempt(request, shared);
        _exit(0);
    }
    pid_t ended;
    do ended = waitpid(child, &status, 0); while (ended < 0 && errno == EINTR);
    *record = *shared;
    if (child < 0 || ended != child) {
        record->result = PROBE_RESULT_UNANSWERED;
    } else if (WIFSIGNALED(status)) {
        record->result = PROBE_RESULT_KILLED;
        record->number = WTERMSIG(status);
    }
}

static int confine(const struct sock_filter *program, unsigned short count, int ruleset,
                   int channel) {
    int kept[] = {channel};
    int result = linux_die_with_parent();
    if (result == 0) result = linux_set_no_new_privileges();
    if (result == 0 && ruleset >= 0) result = linux_landlock_restrict(ruleset);
    if (result == 0) result = linux_close_others(kept, 1);
    if (result == 0) {
        (void)linux_drop_bounding_set();
        result = linux_drop_capabilities();
    }
    if (result == 0) (void)linux_deny_write_execute();
    if (result == 0) result = linux_seccomp_load(program, count, true);
    return result;
}

static _Noreturn void live(const struct sock_filter *program, unsigned short count, int ruleset,
                           int channel, struct probe_record *shared) {
    struct probe_request request;
    struct probe_record record = {0};
    record.number = confine(program, count, ruleset, channel);
    if (!transfer_out(channel, &record, sizeof record) || record.number < 0) _exit(1);
    while (transfer_in(channel, &request, sizeof request)) {
        request.path[sizeof request.path - 1] = 0;
        serve(&request, shared, &record);
        if (!transfer_out(channel, &record, sizeof record)) break;
    }
    _exit(0);
}

static long long now_in_milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

// Reads one record before the deadline; the child may send it in pieces.
static int receive(int channel, struct probe_record *record, int milliseconds) {
    long long deadline = now_in_milliseconds() + milliseconds;
    char *next = (char *)record;
    size_t missing = sizeof *record;
    while (missing > 0) {
        long long left = deadline - now_in_milliseconds();
        if (left <= 0) return -ETIMEDOUT;
        struct timespec wait = {.tv_sec = left / 1000, .tv_nsec = left % 1000 * 1000000};
        struct pollfd entry = {.fd = channel, .events = POLLIN};
        int ready = ppoll(&entry, 1, &wait, NULL);
        if (ready < 0 && errno != EINTR) return -errno;
        if (ready <= 0) continue;
        ssize_t count = read(channel, next, missing);
        if (count == 0) return -EPIPE;
        if (count < 0 && errno != EINTR) return -errno;
        if (count > 0) {
            next += count;
            missing -= (size_t)count;
        }
    }
    return 0;
}

int probe_start(const struct sock_filter *program, unsigned short count, int ruleset,
                         int *channel) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) return -errno;
    struct probe_record *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                                                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t child = shared == MAP_FAILED ? -1 : fork();
    if (child == 0) live(program, count, ruleset, ends[1], shared);
    int failure = child < 0 ? -errno : 0;
    if (shared != MAP_FAILED) munmap(shared, sizeof *shared);
    close(ends[1]);
    struct probe_record record = {0};
    if (failure == 0) failure = receive(ends[0], &record, 1000);
    if (failure == 0) failure = record.number;
    if (failure < 0) {
        close(ends[0]);
        if (child > 0) {
            kill(child, SIGKILL);
            waitpid(child, NULL, 0);
        }
        return failure;
    }
    *channel = ends[0];
    return child;
}

int probe_run(int channel, const struct probe_request *request,
                       struct probe_record *record, int milliseconds) {
    if (!transfer_out(channel, request, sizeof *request)) return -EPIPE;
    int result = receive(channel, record, milliseconds);
    if (result == 0
        && (record->attempt != request->attempt || record->argument != request->argument)) {
        return -EPROTO;
    }
    return result;
}

#define _GNU_SOURCE
#include "include/wall_trace.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAXIMUM_PROCESSES = 512 };

#if defined(__x86_64__)
#define NATIVE AUDIT_ARCH_X86_64
#else
#define NATIVE AUDIT_ARCH_AARCH64
#endif

struct traced {
    pid_t process;
    uint64_t filters[WALL_MAXIMUM_FILTERS];
    size_t filter_count;
    /// The filter that a call now under way would load.
    uint64_t pending;
    /// Seen before its parent reported it, and held back until then.
    bool waits_for_parent;
    /// Whether its calls are looked at.
    bool is_watched;
    /// Whether the stop that every traced child begins with is over.
    bool has_begun;
};

struct session {
    struct traced table[MAXIMUM_PROCESSES];
    size_t count;
    const char *prefix;
    wall_observer *observer;
    void *context;
};

uint64_t wall_digest(const void *bytes, size_t count) {
    uint64_t digest = 0xcbf29ce484222325;
    for (const unsigned char *next = bytes; count-- > 0; next++) {
        digest = (digest ^ *next) * 0x100000001b3;
    }
    return digest;
}

static struct traced *find(struct session *session, pid_t process) {
    for (size_t index = 0; index < session->count; index++) {
        if (session->table[index].process == process) return &session->table[index];
    }
    return NULL;
}

static struct traced *add(struct session *session, pid_t process) {
    if (session->count == MAXIMUM_PROCESSES) return NULL;
    struct traced *entry = &session->table[session->count++];
    *entry = (struct traced){.process = process};
    return entry;
}

static void forget(struct session *session, pid_t process) {
    struct traced *entry = find(session, process);
    if (entry != NULL) *entry = session->table[--session->count];
}

static void copy_in(pid_t process, uint64_t address, void *buffer, size_t count) {
    for (size_t offset = 0; offset < count; offset += sizeof(long)) {
        long word = ptrace(PTRACE_PEEKDATA, process, address + offset, NULL);
        size_t part = count - offset < sizeof word ? count - offset : sizeof word;
        memcpy((char *)buffer + offset, &word, part);
    }
}

static uint64_t digest_of_filter(pid_t process, uint64_t address) {
    static _Thread_local struct sock_filter program[4096];
    struct sock_fprog header = {0};
    copy_in(process, address, &header, sizeof header);
    size_t count = header.len > 4096 ? 4096 : header.len;
    copy_in(process, (uintptr_t)header.filter, program, count * sizeof *program);
    return wall_digest(program, count * sizeof *program);
}

static void at_call(struct session *session, struct traced *entry) {
    struct __ptrace_syscall_info info;
    if (ptrace(PTRACE_GET_SYSCALL_INFO, entry->process, sizeof info, &info) <= 0) return;
    // Another architecture's entry has other numbers; filters kill it whatever they are.
    if (info.op == PTRACE_SYSCALL_INFO_ENTRY && info.arch == NATIVE) {
        struct wall_observed call = {.process = entry->process,
                                     .number = info.entry.nr,
                                     .filter_count = entry->filter_count};
        memcpy(call.registers, info.entry.args, sizeof call.registers);
        memcpy(call.filters, entry->filters, sizeof call.filters);
        session->observer(session->context, &call);
        bool loads = info.entry.nr == SYS_seccomp && info.entry.args[0] == SECCOMP_SET_MODE_FILTER;
        entry->pending = loads ? digest_of_filter(entry->process, info.entry.args[2]) : 0;
    } else if (info.op == PTRACE_SYSCALL_INFO_EXIT && entry->pending != 0) {
        if (!info.exit.is_error && entry->filter_count < WALL_MAXIMUM_FILTERS) {
            entry->filters[entry->filter_count++] = entry->pending;
        }
        entry->pending = 0;
    }
}

static void go_on(const struct traced *entry, int signal) {
    ptrace(entry->is_watched ? PTRACE_SYSCALL : PTRACE_CONT, entry->process, NULL, signal);
}

// Another program: it is looked at if its file's name begins as asked.
static void at_exec(struct session *session, struct traced *entry) {
    char link[64], target[4096] = "";
    snprintf(link, sizeof link, "/proc/%d/exe", entry->process);
    if (readlink(link, target, sizeof target - 1) < 0) return;
    const char *slash = strrchr(target, '/');
    const char *name = slash == NULL ? target : slash + 1;
    entry->is_watched = strncmp(name, session->prefix, strlen(session->prefix)) == 0;
}

static void at_birth(struct session *session, struct traced *parent) {
    unsigned long message = 0;
    ptrace(PTRACE_GETEVENTMSG, parent->process, NULL, &message);
    struct traced inherited = *parent;
    struct traced *child = find(session, (pid_t)message);
    bool held = child != NULL && child->waits_for_parent;
    if (child == NULL) child = add(session, (pid_t)message);
    if (child == NULL) return;
    *child = inherited;
    child->process = (pid_t)message;
    child->pending = 0;
    child->waits_for_parent = false;
    child->has_begun = held;
    if (held) go_on(child, 0);
}

// Deals with one stop and returns the signal to go on with, or -1 to hold the process.
static int at_stop(struct session *session, pid_t process, int status) {
    struct traced *entry = find(session, process);
    if (entry == NULL) {
        entry = add(session, process);
        if (entry != NULL) entry->waits_for_parent = true;
        return -1;
    }
    int signal = WSTOPSIG(status);
    if (signal == (SIGTRAP | 0x80)) {
        at_call(session, entry);
        return 0;
    }
    switch (status >> 16) {
    case PTRACE_EVENT_FORK:
    case PTRACE_EVENT_VFORK:
    case PTRACE_EVENT_CLONE: at_birth(session, entry); return 0;
    case PTRACE_EVENT_EXEC: at_exec(session, entry); return 0;
    case 0: break;
    default: return 0;
    }
    if (signal == SIGSTOP && !entry->has_begun) {
        entry->has_begun = true;
        return 0;
    }
    // A process that was stopped by a signal stays so; only SIGKILL is expected to end that.
    siginfo_t cause;
    return ptrace(PTRACE_GETSIGINFO, process, NULL, &cause) < 0 ? -1 : signal;
}

static void become(char *const arguments[], char *const environment[], int input, int output) {
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    syscall(SYS_close_range, 3U, ~0U, 0);
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    raise(SIGSTOP);
    execve(arguments[0], arguments, environment);
    _exit(127);
}

static void kill_all(struct session *session) {
    for (size_t index = 0; index < session->count; index++) {
        kill(session->table[index].process, SIGKILL);
    }
}

int wall_trace(char *const arguments[], char *const environment[], int input, int output,
               const char *prefix, unsigned seconds, wall_observer *observer, void *context) {
    static _Thread_local struct session session;
    session = (struct session){.prefix = prefix, .observer = observer, .context = context};
    const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK
                         | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
    pid_t first = fork();
    if (first == 0) become(arguments, environment, input, output);
    if (first < 0) return -errno;
    int status = 0, result = -ESRCH;
    if (waitpid(first, &status, __WALL | __WNOTHREAD) != first || !WIFSTOPPED(status)) return -ECHILD;
    if (ptrace(PTRACE_SETOPTIONS, first, NULL, options) < 0) return -errno;
    add(&session, first)->has_begun = true;
    ptrace(PTRACE_CONT, first, NULL, NULL);
    time_t deadline = time(NULL) + seconds;
    for (unsigned idle = 0;;) {
        pid_t process = waitpid(-1, &status, __WALL | __WNOTHREAD | WNOHANG);
        if (process < 0 && errno == ECHILD) return result;
        if (process <= 0) {
            if (time(NULL) > deadline) kill_all(&session);
            // Most answers come at once; only a quiet tree is worth sleeping for.
            const struct timespec moment = {.tv_nsec = 100000};
            if (++idle > 50) nanosleep(&moment, NULL);
            continue;
        }
        idle = 0;
        if (!WIFSTOPPED(status)) {
            if (process == first) result = status;
            forget(&session, process);
            continue;
        }
        int signal = at_stop(&session, process, status);
        const struct traced *entry = find(&session, process);
        if (signal >= 0 && entry != NULL) go_on(entry, signal);
    }
}

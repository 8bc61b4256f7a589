#define _GNU_SOURCE
#include "include/victim.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/keyctl.h>
#include <mqueue.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// Where the victim keeps its memory's canary.
static char memory[DRILL_CANARY];

// What an attacker might change of it.
struct state {
    char memory[DRILL_CANARY];
    uint64_t limit;
    int priority;
};

static struct state state_now(void) {
    struct rlimit limit = {0, 0};
    getrlimit(RLIMIT_NOFILE, &limit);
    struct state state = {.limit = limit.rlim_max, .priority = getpriority(PRIO_PROCESS, 0)};
    memcpy(state.memory, memory, sizeof memory);
    return state;
}

static void share(const struct drill_canaries *canaries, struct drill_goals *goals) {
    goals->shared_memory = shmget(IPC_PRIVATE, DRILL_CANARY, IPC_CREAT | 0666);
    if (goals->shared_memory >= 0) {
        void *shared = shmat(goals->shared_memory, NULL, 0);
        if (shared != (void *)-1) memcpy(shared, canaries->shared, DRILL_CANARY);
    }
    struct mq_attr attributes = {.mq_maxmsg = 1, .mq_msgsize = DRILL_CANARY};
    mqd_t queue = mq_open(goals->queue_name, O_RDWR | O_CREAT, 0666, &attributes);
    if (queue >= 0) mq_send(queue, canaries->shared, DRILL_CANARY, 0);
    syscall(SYS_add_key, "user", goals->key_name, canaries->shared, DRILL_CANARY,
            KEY_SPEC_USER_KEYRING);
}

static _Noreturn void live(uid_t uid, gid_t gid, const struct drill_canaries *canaries,
                           struct drill_goals *goals, int channel) {
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    umask(0);
    // Whoever started the drill may ignore or block some.
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (getuid() == 0
        && (setgroups(0, NULL) < 0 || setresgid(gid, gid, gid) < 0 || setresuid(uid, uid, uid) < 0)) {
        _exit(1);
    }
    // As easy to attack as a process can be: only the attacker's walls protect it.
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    memcpy(memory, canaries->memory, sizeof memory);
    goals->victim = getpid();
    goals->victim_memory = (uint64_t)(uintptr_t)memory;
    goals->victim_descriptor = open(goals->secret_path, O_RDONLY);
    share(canaries, goals);
    if (write(channel, goals, sizeof *goals) != sizeof *goals) _exit(1);
    char question;
    while (read(channel, &question, 1) == 1) {
        struct state state = state_now();
        if (write(channel, &state, sizeof state) < 0) break;
    }
    _exit(0);
}

static int read_within(int channel, void *buffer, size_t size, int milliseconds) {
    char *next = buffer;
    while (size > 0) {
        struct pollfd entry = {.fd = channel, .events = POLLIN};
        if (poll(&entry, 1, milliseconds) != 1) return 0;
        ssize_t count = read(channel, next, size);
        if (count <= 0) return 0;
        next += count;
        size -= (size_t)count;
    }
    return 1;
}

int drill_victim_start(uid_t uid, gid_t gid, const struct drill_canaries *canaries,
                       struct drill_goals *goals, struct drill_victim *victim) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) return -errno;
    pid_t child = fork();
    if (child == 0) live(uid, gid, canaries, goals, ends[1]);
    close(ends[1]);
    *victim = (struct drill_victim){child, ends[0]};
    if (child < 0) return -errno;
    return read_within(ends[0], goals, sizeof *goals, 2000) ? 0 : -ECHILD;
}

int drill_victim_is_well(const struct drill_victim *victim, const struct drill_canaries *canaries) {
    int status;
    if (waitpid(victim->process, &status, WNOHANG | WUNTRACED) != 0) return 0;
    if (send(victim->channel, "?", 1, MSG_NOSIGNAL) != 1) return 0;
    struct state state;
    if (!read_within(victim->channel, &state, sizeof state, 1000)) return 0;
    return memcmp(state.memory, canaries->memory, sizeof state.memory) == 0 && state.limit > 3
           && state.priority <= getpriority(PRIO_PROCESS, 0);
}

void drill_victim_end(const struct drill_victim *victim, const struct drill_goals *goals) {
    close(victim->channel);
    kill(victim->process, SIGKILL);
    waitpid(victim->process, NULL, 0);
    if (goals->shared_memory >= 0) shmctl(goals->shared_memory, IPC_RMID, NULL);
    mq_unlink(goals->queue_name);
}

#define _GNU_SOURCE
#include "attacks.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

const char drill_confession[DRILL_CANARY] = "I hold what the wall should take";

static const struct drill_attack attacks[] = {
    {"open the secret file", DRILL_GOAL_FILE_CANARY, attack_open},
    {"climb out of its directory", DRILL_GOAL_FILE_CANARY, attack_climb},
    {"follow a symbolic link", DRILL_GOAL_FILE_CANARY, attack_symbolic_link},
    {"make a hard link", DRILL_GOAL_FILE_CANARY, attack_hard_link},
    {"go through /proc/PID/root", DRILL_GOAL_FILE_CANARY, attack_process_root},
    {"open through io_uring", DRILL_GOAL_FILE_CANARY, attack_ring},
    {"open through the 32-bit entry", DRILL_GOAL_FILE_CANARY, attack_32_bit_entry},
    {"run a shell that reads", DRILL_GOAL_FILE_CANARY, attack_shell},
    {"run a program from memory", DRILL_GOAL_FILE_CANARY, attack_memory_program},
    {"make a file outside", DRILL_GOAL_FILE_MADE, attack_make_file},
    {"move a file outside", DRILL_GOAL_FILE_MADE, attack_rename_out},
    {"overwrite a file", DRILL_GOAL_FILE_SPOILED, attack_spoil_file},
    {"remove a file", DRILL_GOAL_FILE_SPOILED, attack_remove_file},
    {"open the secret file as the signer opens its own", DRILL_GOAL_FILE_CANARY,
     attack_open_as_signer},
    {"make a file outside as the signer makes its own", DRILL_GOAL_FILE_MADE,
     attack_make_as_signer},
    {"move a file outside as the signer moves its own", DRILL_GOAL_FILE_MADE,
     attack_move_as_signer},
    {"overwrite a file as the signer writes its own", DRILL_GOAL_FILE_SPOILED,
     attack_spoil_as_signer},
    {"kill", DRILL_GOAL_VICTIM_HURT, attack_kill},
    {"stop", DRILL_GOAL_VICTIM_HURT, attack_stop},
    {"queue a signal", DRILL_GOAL_VICTIM_HURT, attack_queue_signal},
    {"signal through a pidfd", DRILL_GOAL_VICTIM_HURT, attack_pidfd_signal},
    {"signal as owner of a socket", DRILL_GOAL_VICTIM_HURT, attack_owner_signal},
    {"trace", DRILL_GOAL_MEMORY_CANARY, attack_trace},
    {"read memory", DRILL_GOAL_MEMORY_CANARY, attack_read_memory},
    {"open /proc/PID/mem", DRILL_GOAL_MEMORY_CANARY, attack_memory_file},
    {"write memory", DRILL_GOAL_VICTIM_HURT, attack_write_memory},
    {"copy a descriptor", DRILL_GOAL_FILE_CANARY, attack_steal_descriptor},
    {"lower a limit", DRILL_GOAL_VICTIM_HURT, attack_limit_other},
    {"lower a priority", DRILL_GOAL_VICTIM_HURT, attack_slow_other},
    {"attach shared memory", DRILL_GOAL_SHARED_CANARY, attack_shared_memory},
    {"read a message queue", DRILL_GOAL_SHARED_CANARY, attack_queue},
    {"search the user's keyring", DRILL_GOAL_SHARED_CANARY, attack_keyring},
    {"connect to an abstract socket", DRILL_GOAL_SOCKET_CANARY, attack_abstract_socket},
    {"connect to signer.sock", DRILL_GOAL_SOCKET_CANARY, attack_path_socket},
    {"connect by TCP", DRILL_GOAL_LISTENER_SAW, attack_tcp},
    {"connect by TCP over IPv6", DRILL_GOAL_LISTENER_SAW, attack_tcp6},
    {"send a datagram", DRILL_GOAL_LISTENER_SAW, attack_udp},
    {"listen on a port", DRILL_GOAL_REACHABLE, attack_listen},
    {"type into the terminal", DRILL_GOAL_CONFESSED, attack_terminal},
    {"run code from writable memory", DRILL_GOAL_CONFESSED, attack_executable_memory},
    {"write memory, then run it", DRILL_GOAL_CONFESSED, attack_executable_later},
    {"run code from its own file", DRILL_GOAL_CONFESSED, attack_executable_file},
    {"gain capabilities in a namespace", DRILL_GOAL_CONFESSED, attack_user_namespace},
    {"run a set-uid program", DRILL_GOAL_ROOT_FILE_MADE, attack_setuid_program},
    {"leave a process behind", DRILL_GOAL_CONFESSED, attack_fork},
    {"open 5,000 descriptors", DRILL_GOAL_CONFESSED, attack_descriptor_flood},
    {"make a file of 1 TiB", DRILL_GOAL_CONFESSED, attack_huge_file},
};

const struct drill_attack *drill_attack_at(int number) {
    return (size_t)number < sizeof attacks / sizeof *attacks ? &attacks[number] : NULL;
}

void drill_take_terminal(void) {
    ioctl(STDIN_FILENO, TIOCSCTTY, 0);
}

int drill_adopt_orphans(void) {
    return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

void tell(const struct drill_goals *goals, const void *bytes, size_t count) {
    const char *next = bytes;
    while (count > 0) {
        ssize_t moved = write(goals->evidence, next, count);
        if (moved < 0 && errno == EINTR) continue;
        if (moved <= 0) return;
        next += moved;
        count -= (size_t)moved;
    }
}

void tell_from(const struct drill_goals *goals, int descriptor) {
    char canary[DRILL_CANARY];
    ssize_t count = read(descriptor, canary, sizeof canary);
    if (count > 0) tell(goals, canary, (size_t)count);
}

void confess(const struct drill_goals *goals) {
    tell(goals, drill_confession, sizeof drill_confession);
}

const char *own(const struct drill_goals *goals, const char *name) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", goals->state_path, name);
    return path;
}

void drill_system_call(const struct drill_goals *goals, long number) {
    static char buffer[4096];
    strncpy(buffer, goals->secret_path, sizeof buffer - 1);
    // A pointer, a size, a descriptor and flags are what most calls take, in some order.
    long shapes[][6] = {
        {(long)buffer, 64, 0, 0, 0, 0},
        {goals->victim, (long)buffer, 64, 0, 0, 0},
        {-100, (long)buffer, 64, 0, 0, 0},
        {3, (long)buffer, 64, 0, 0, 0},
        {1, 1, 1, 1, 1, 1},
        {0, 0, 0, 0, 0, 0},
    };
    for (size_t index = 0; index < sizeof shapes / sizeof *shapes; index++) {
        const long *s = shapes[index];
        syscall(number, s[0], s[1], s[2], s[3], s[4], s[5]);
    }
}

void drill_socket_family(const struct drill_goals *goals, int family) {
    for (int type = SOCK_STREAM; type <= SOCK_PACKET; type++) {
        if (socket(family, type, 0) < 0) continue;
        unsigned char made = (unsigned char)type;
        tell(goals, &made, sizeof made);
    }
}

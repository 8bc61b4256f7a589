// Attacks on the wall, made by a process that stands where one of Bulkhead's processes stands.
//
// An attack goes for a goal that its observer outside can check: bytes that only the goal holds, a
// file, a connection, harm to another process. What an attack returns to itself proves nothing.
#ifndef BULKHEAD_DRILL_H
#define BULKHEAD_DRILL_H

#include <stdint.h>

enum { DRILL_CANARY = 32 };

/// Where the goals are. The attacker is told everything, so that no wall is held by a secret.
struct drill_goals {
    /// A file that holds a canary and belongs to the other side.
    char secret_path[256];
    /// The attacker's own directory.
    char state_path[256];
    /// A place outside where anybody may make files; the file is not there.
    char made_path[256];
    /// Another file of the other side, to be damaged.
    char spoiled_path[256];
    /// A socket in the file system; who connects is sent a canary.
    char unix_path[104];
    /// An abstract socket; the same.
    char abstract_name[64];
    /// A POSIX message queue that holds a canary.
    char queue_name[64];
    /// A key in the user's keyring that holds a canary.
    char key_name[64];
    /// A program that belongs to root, has the set-uid bit and makes the file it is given.
    char setuid_path[256];
    /// A place where only root may make files; the file is not there.
    char root_path[256];
    /// The other process, as the host counts.
    int32_t victim;
    /// A descriptor of the victim that reads a canary.
    int32_t victim_descriptor;
    /// Where the victim keeps a canary in its memory.
    uint64_t victim_memory;
    /// The System V identifier of shared memory that holds a canary.
    int32_t shared_memory;
    /// Listeners on the loopback addresses outside.
    uint16_t tcp_port, tcp6_port, udp_port;
    /// Where evidence is written to.
    int32_t evidence;
};

/// What an attacker is to do, as it reads it before its walls go up.
struct drill_order {
    struct drill_goals goals;
    /// `Role` and `Cell` by their places in their lists.
    int32_t role, cell;
    enum drill_kind { DRILL_ATTACK, DRILL_CALL, DRILL_FAMILY, DRILL_STAND_STILL } kind;
    /// The attack, or the system call.
    int32_t number;
};

enum drill_goal {
    DRILL_GOAL_FILE_CANARY,
    DRILL_GOAL_MEMORY_CANARY,
    DRILL_GOAL_SHARED_CANARY,
    DRILL_GOAL_SOCKET_CANARY,
    DRILL_GOAL_FILE_MADE,
    DRILL_GOAL_ROOT_FILE_MADE,
    DRILL_GOAL_FILE_SPOILED,
    DRILL_GOAL_VICTIM_HURT,
    DRILL_GOAL_LISTENER_SAW,
    DRILL_GOAL_REACHABLE,
    /// The attacker's own word: it holds a right that the wall takes, and has used it.
    DRILL_GOAL_CONFESSED
};

struct drill_attack {
    const char *name;
    enum drill_goal goal;
    void (*run)(const struct drill_goals *goals);
};

/// The attack of this number, from 0; NULL after the last.
const struct drill_attack *drill_attack_at(int number);

/// Makes one system call with arguments that a program might give it.
void drill_system_call(const struct drill_goals *goals, long number);

/// Tries to make a socket of a family, type by type; each that it gets is told by its number.
void drill_socket_family(const struct drill_goals *goals, int family);

/// What an attack says whose goal is only known to itself.
extern const char drill_confession[DRILL_CANARY];

/// Makes descriptor 0 the terminal that this process is controlled from.
void drill_take_terminal(void);

/// Whatever this process has started becomes its child when it loses its own parent. 0, or -1.
int drill_adopt_orphans(void);

#endif

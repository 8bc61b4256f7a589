// The process that attacks go for, and the listeners that see them.
#ifndef BULKHEAD_VICTIM_H
#define BULKHEAD_VICTIM_H

#include "drill.h"

#include <sys/types.h>

/// Canaries of the things that a victim holds; each is other bytes, so that none passes for another.
struct drill_canaries {
    char file[DRILL_CANARY], memory[DRILL_CANARY], shared[DRILL_CANARY], socket[DRILL_CANARY];
};

struct drill_victim {
    pid_t process;
    /// A byte written here is answered by what the victim's memory holds.
    int channel;
};

/// Starts a victim of this user; fills in what the attackers are told of it. Returns 0 or -errno.
///
/// Shared memory, queue and key are left out where this kernel has no such thing.
int drill_victim_start(uid_t uid, gid_t gid, const struct drill_canaries *canaries,
                       struct drill_goals *goals, struct drill_victim *victim);

/// 1 if the victim runs as it did at the start, with its memory as it was; 0 if it was harmed.
int drill_victim_is_well(const struct drill_victim *victim, const struct drill_canaries *canaries);

/// Ends the victim and takes back what it shared.
void drill_victim_end(const struct drill_victim *victim, const struct drill_goals *goals);

struct drill_listeners {
    int tcp, tcp6, udp, path, abstract;
};

/// Opens listeners where the goals say; ports are filled in. -1 for what this kernel has not.
int drill_listeners_open(struct drill_goals *goals, struct drill_listeners *listeners);

/// Takes what waits at the listeners: sends the canary to local peers. Returns 1 if a TCP or UDP
/// listener saw something.
int drill_listeners_serve(const struct drill_listeners *listeners, const char *canary);

void drill_listeners_close(const struct drill_listeners *listeners);

/// Whether somebody listens on this loopback port.
int drill_can_connect(uint16_t port);

/// A new terminal; returns the end that a program would run on, or -errno.
int drill_terminal(int *observer);

#endif

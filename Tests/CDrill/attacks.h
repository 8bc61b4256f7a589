// What the attacks share.
#ifndef BULKHEAD_ATTACKS_H
#define BULKHEAD_ATTACKS_H

#include "include/drill.h"

#include <stddef.h>
#include <stdio.h>

/// Hands bytes to the observer.
void tell(const struct drill_goals *goals, const void *bytes, size_t count);
/// Reads a canary from a descriptor and hands it over.
void tell_from(const struct drill_goals *goals, int descriptor);
/// "I hold a right that I should not."
void confess(const struct drill_goals *goals);
/// A path in the attacker's own directory.
const char *own(const struct drill_goals *goals, const char *name);

#define ATTACK(name) void name(const struct drill_goals *goals)

ATTACK(attack_open);
ATTACK(attack_climb);
ATTACK(attack_symbolic_link);
ATTACK(attack_hard_link);
ATTACK(attack_process_root);
ATTACK(attack_ring);
ATTACK(attack_32_bit_entry);
ATTACK(attack_shell);
ATTACK(attack_memory_program);
ATTACK(attack_make_file);
ATTACK(attack_rename_out);
ATTACK(attack_spoil_file);
ATTACK(attack_remove_file);
ATTACK(attack_open_as_signer);
ATTACK(attack_make_as_signer);
ATTACK(attack_move_as_signer);
ATTACK(attack_spoil_as_signer);

ATTACK(attack_kill);
ATTACK(attack_stop);
ATTACK(attack_queue_signal);
ATTACK(attack_pidfd_signal);
ATTACK(attack_owner_signal);
ATTACK(attack_trace);
ATTACK(attack_read_memory);
ATTACK(attack_memory_file);
ATTACK(attack_write_memory);
ATTACK(attack_steal_descriptor);
ATTACK(attack_limit_other);
ATTACK(attack_slow_other);
ATTACK(attack_shared_memory);
ATTACK(attack_queue);
ATTACK(attack_keyring);

ATTACK(attack_abstract_socket);
ATTACK(attack_path_socket);
ATTACK(attack_tcp);
ATTACK(attack_tcp6);
ATTACK(attack_udp);
ATTACK(attack_listen);
ATTACK(attack_terminal);

ATTACK(attack_executable_memory);
ATTACK(attack_executable_later);
ATTACK(attack_executable_file);
ATTACK(attack_user_namespace);
ATTACK(attack_setuid_program);
ATTACK(attack_fork);
ATTACK(attack_descriptor_flood);
ATTACK(attack_huge_file);

#endif

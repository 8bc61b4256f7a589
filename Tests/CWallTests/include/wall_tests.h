// Single system calls under a filter, each in a process of its own, for the tests of the wall.
// `wall_trace.h` watches those of whole programs, `wall_network.h` what they send.
#ifndef BULKHEAD_WALL_TESTS_H
#define BULKHEAD_WALL_TESTS_H

#include <stdint.h>

/// Forks, loads the filter, makes one system call with these six registers and ends; returns the wait
/// status, or -errno if the filter could not be loaded.
int wall_call(const void *program, unsigned short count, long number, const uint64_t *registers);

/// The signal that ended a process, or 0.
int wall_signal(int status);

/// 1 if the process ended by itself with status 0.
int wall_ended_well(int status);

/// A new terminal: the end that programs run on, and in `outer` the end of the person; or -errno.
int wall_terminal(int *outer);

#endif

// Watches every system call of a program and of all that it starts, for the tests of the wall.
#ifndef BULKHEAD_WALL_TRACE_H
#define BULKHEAD_WALL_TRACE_H

#include <stddef.h>
#include <stdint.h>

enum { WALL_MAXIMUM_FILTERS = 4 };

/// One system call that a process is about to make.
struct wall_observed {
    int process;
    uint64_t number;
    uint64_t registers[6];
    /// The filters that judge it, oldest first: FNV-1a of each program as it was loaded.
    uint64_t filters[WALL_MAXIMUM_FILTERS];
    size_t filter_count;
};

typedef void wall_observer(void *context, const struct wall_observed *call);

/// Runs `arguments` with standard input and output on these descriptors and reports every call of
/// programs whose file name begins with `prefix`, until all of it has ended. Returns the first
/// program's wait status or -errno. All of it is killed after `seconds`, or with the caller.
int wall_trace(char *const arguments[], char *const environment[], int input, int output,
               const char *prefix, unsigned seconds, wall_observer *observer, void *context);

/// FNV-1a, 64 bits.
uint64_t wall_digest(const void *bytes, size_t count);

#endif

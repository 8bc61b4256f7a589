// Attempts to break out, made on purpose from inside the wall, and the child that makes them.
//
// The child is forked before its parent is confined, then puts itself under the same confinement
// (with fork and wait besides) and waits. For each request it forks a grandchild, which tries one
// thing and is gone. Nothing here allocates after the first fork. These calls live in a target of
// their own, apart from CLinux: they are made to fail.
#ifndef BULKHEAD_PROBE_H
#define BULKHEAD_PROBE_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum probe_attempt_kind {
    PROBE_OPEN_FILE = 1,       // path: open for reading
    PROBE_OPEN_DIRECTORY,      // path: open as a directory
    PROBE_CREATE_FILE,         // path: create; removed again if that works
    PROBE_CONNECT_UNIX,        // path: connect to a socket in the file system
    PROBE_CONNECT_ABSTRACT,    // path: connect to an abstract socket of this name
    PROBE_EXECUTE,             // path: replace itself with a program
    PROBE_ATTACH,              // argument: a process to trace
    PROBE_SIGNAL,              // argument: a process to signal (with signal 0)
    PROBE_READ_MEMORY,         // argument: a process to read the memory of
    PROBE_OPEN_MEMORY,         // argument: a process whose /proc/PID/mem to open
    PROBE_STEAL_DESCRIPTOR,    // argument: a process to copy a descriptor from
    PROBE_SOCKET,              // argument: an address family
    PROBE_LISTEN,              // listen on a TCP port
    PROBE_FORK,                // start another process
    PROBE_BPF,                 // load a BPF program
    PROBE_IO_URING,            // make a ring, whose calls no filter sees
    PROBE_USERFAULTFD,         // handle page faults
    PROBE_KEYCTL,              // use the kernel's keyrings
    PROBE_PERFORMANCE_EVENTS,  // watch other processes through counters
    PROBE_NAMESPACE,           // make a user namespace
    PROBE_MOUNT,               // mount a file system
    PROBE_BECOME_ROOT,         // change to uid 0
    PROBE_EXECUTABLE_MEMORY,   // map memory that is writable and executable
    PROBE_OPEN_BY_HANDLE,      // open a file by inode number, past every directory
    PROBE_TERMINAL_INPUT,      // type into the terminal it runs on
    PROBE_OTHER_ABI            // call through another architecture's entry
};

struct probe_request {
    uint32_t attempt;
    int32_t argument;
    char path[248];
};

enum probe_result {
    PROBE_RESULT_UNANSWERED,  // the attempt ended in a way that says nothing
    PROBE_RESULT_REFUSED,     // the call returned `number`, an errno
    PROBE_RESULT_KILLED,      // the attempt died by signal `number`
    PROBE_RESULT_REACHED      // the attempt reached its goal
};

struct probe_record {
    uint32_t attempt;
    int32_t argument;
    uint32_t result;
    int32_t number;
};

/// Makes one attempt in this process. Does not return if the wall kills it.
void probe_attempt(const struct probe_request *request,
                            struct probe_record *record);

/// Starts a probe child, which confines itself with `program` and the Landlock ruleset (-1: none).
/// Returns its pid and a channel to it, once it is confined.
int probe_start(const struct sock_filter *program, unsigned short count, int ruleset,
                         int *channel);

/// Has the child make one attempt and waits at most `milliseconds` for the record.
int probe_run(int channel, const struct probe_request *request,
                       struct probe_record *record, int milliseconds);

#endif

#ifndef BULKHEAD_DESCRIPTORS_H
#define BULKHEAD_DESCRIPTORS_H

// Calls on open descriptors that Swift cannot make itself, either because they are extensions that
// its Glibc module leaves out or because they are macros. Unless said otherwise each returns -1 and
// sets errno on failure; nothing here retries, allocates or prints.

#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Who is at the other end of a local socket, as the kernel recorded it at connect.
struct linux_peer {
    int32_t pid;
    uint32_t uid;
    uint32_t gid;
};

/// What came beside the bytes of one `linux_receive`.
struct linux_arrival {
    /// A descriptor that the caller now owns (close-on-exec), or -1.
    int descriptor;
    /// More than one descriptor or other ancillary data came. Everything of it is closed already.
    int unwelcome;
};

/// A pipe, close-on-exec: reading end first.
int linux_pipe(int ends[2]);

/// Takes a connection from a listening socket: close-on-exec and nonblocking.
int linux_accept(int listener);

/// Reads SO_PEERCRED.
int linux_peer_credentials(int socket, struct linux_peer *peer);

/// recvmsg of up to `capacity` bytes and at most one descriptor.
ssize_t linux_receive(int socket, void *bytes, size_t capacity, struct linux_arrival *arrival);

/// sendmsg of bytes with one descriptor attached to the first of them.
ssize_t linux_send_descriptor(int socket, const void *bytes, size_t count, int descriptor);

/// Closes every descriptor from `first` to `last`.
int linux_close_range(unsigned first, unsigned last);

/// ppoll without a signal mask; a negative timeout waits for ever.
int linux_poll(struct pollfd *entries, size_t count, int64_t timeout_nanoseconds);

/// Sets or clears O_NONBLOCK.
int linux_set_nonblocking(int descriptor, int on);

/// Whether the number stands for an open descriptor.
int linux_is_open(int descriptor);

/// 1 for a descriptor that was opened for reading, 0 for one that a read cannot use (F_GETFL).
int linux_is_readable(int descriptor);

/// 1 for a descriptor that was opened for writing, 0 for one that a write cannot use (F_GETFL).
int linux_is_writable(int descriptor);

/// 1 for a pipe or FIFO, 0 for anything else.
int linux_is_pipe(int descriptor);

/// 1 for a pipe, a FIFO or an ordinary file, 0 for anything else.
int linux_is_pipe_or_file(int descriptor);

/// Renames a file where nothing has the new name yet (renameat2); EINVAL where the file system cannot.
int linux_rename_new(const char *from, const char *to);

/// 1 for a socket, 0 for anything else.
int linux_is_socket(int descriptor);

/// Has malloc give every large block back to the kernel when it is freed, from now on.
void linux_return_large_blocks(void);

/// Gives the kernel back what was freed and lies between memory in use.
void linux_return_freed_memory(void);

/// The exit status of a child that has ended, or 128 plus the signal that ended it; -2 while it runs.
int linux_wait(pid_t pid, int block);

#endif

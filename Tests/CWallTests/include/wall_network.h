// A network of its own for one thread and what it starts, for the tests of what leaves this machine.
#ifndef BULKHEAD_WALL_NETWORK_H
#define BULKHEAD_WALL_NETWORK_H

#include <stddef.h>

/// Moves the calling thread into a new, empty network; 0 or -errno. Only root may.
int wall_leave_network(void);

/// Runs a command of the shell in the calling thread's network and waits for it; 0 if it ended well.
int wall_run(const char *command);

/// A socket that every packet of the calling thread's network is read from, or -errno.
int wall_packets(void);

/// The next packet, from its IP header on, without those that come back from the loopback interface;
/// its length, 0 if none came within a tenth of a second, or -errno.
long wall_next_packet(int packets, void *bytes, size_t count);

/// Packets that there was no room for since the last call, or -errno.
long wall_lost_packets(int packets);

#endif

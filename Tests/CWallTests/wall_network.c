#define _GNU_SOURCE
#include "include/wall_network.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

int wall_leave_network(void) { return unshare(CLONE_NEWNET) == 0 ? 0 : -errno; }

int wall_run(const char *command) {
    int status = system(command);
    return status == 0 ? 0 : -1;
}

int wall_packets(void) {
    int packets = socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC, htons(ETH_P_ALL));
    if (packets < 0) return -errno;
    int room = 64 << 20;
    struct timeval patience = {.tv_sec = 0, .tv_usec = 100000};
    if (setsockopt(packets, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room) != 0 ||
        setsockopt(packets, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) != 0) {
        int error = errno;
        close(packets);
        return -error;
    }
    return packets;
}

long wall_next_packet(int packets, void *bytes, size_t count) {
    for (;;) {
        struct sockaddr_ll from;
        socklen_t size = sizeof from;
        ssize_t length = recvfrom(packets, bytes, count, 0, (struct sockaddr *)&from, &size);
        if (length < 0) return errno == EAGAIN || errno == EINTR ? 0 : -errno;
        // The loopback interface shows each packet twice: as it leaves and as it comes.
        if (from.sll_pkttype == PACKET_OUTGOING) return length;
    }
}

long wall_lost_packets(int packets) {
    struct tpacket_stats counts;
    socklen_t size = sizeof counts;
    if (getsockopt(packets, SOL_PACKET, PACKET_STATISTICS, &counts, &size) != 0) return -errno;
    return counts.tp_drops;
}

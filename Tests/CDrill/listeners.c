#define _GNU_SOURCE
#include "include/victim.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { FLAGS = SOCK_CLOEXEC | SOCK_NONBLOCK };

static int inet_listener(int family, int type, uint16_t *port) {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr_in6 address6 = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    struct sockaddr *where = family == AF_INET ? (struct sockaddr *)&address
                                               : (struct sockaddr *)&address6;
    socklen_t size = family == AF_INET ? sizeof address : sizeof address6;
    int end = socket(family, type | FLAGS, 0);
    if (end < 0) return -1;
    if (bind(end, where, size) < 0 || (type == SOCK_STREAM && listen(end, 16) < 0)
        || getsockname(end, where, &size) < 0) {
        close(end);
        return -1;
    }
    *port = ntohs(family == AF_INET ? address.sin_port : address6.sin6_port);
    return end;
}

static int unix_listener(const char *name, size_t offset) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path + offset, name, sizeof address.sun_path - offset - 1);
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + offset + strlen(name));
    int end = socket(AF_UNIX, SOCK_STREAM | FLAGS, 0);
    if (end < 0) return -1;
    if (bind(end, (struct sockaddr *)&address, size) == 0 && listen(end, 16) == 0) return end;
    close(end);
    return -1;
}

int drill_listeners_open(struct drill_goals *goals, struct drill_listeners *listeners) {
    listeners->tcp = inet_listener(AF_INET, SOCK_STREAM, &goals->tcp_port);
    listeners->tcp6 = inet_listener(AF_INET6, SOCK_STREAM, &goals->tcp6_port);
    listeners->udp = inet_listener(AF_INET, SOCK_DGRAM, &goals->udp_port);
    listeners->path = unix_listener(goals->unix_path, 0);
    listeners->abstract = unix_listener(goals->abstract_name, 1);
    if (listeners->path >= 0) chmod(goals->unix_path, 0666);
    return listeners->tcp < 0 || listeners->path < 0 || listeners->abstract < 0 ? -errno : 0;
}

static void send_canary(int listener, const char *canary) {
    if (listener < 0) return;
    for (int peer; (peer = accept4(listener, NULL, NULL, SOCK_CLOEXEC)) >= 0; close(peer)) {
        send(peer, canary, DRILL_CANARY, MSG_NOSIGNAL);
    }
}

static int saw_connection(int listener) {
    int seen = 0;
    if (listener < 0) return 0;
    for (int peer; (peer = accept4(listener, NULL, NULL, SOCK_CLOEXEC)) >= 0; close(peer)) seen = 1;
    return seen;
}

int drill_listeners_serve(const struct drill_listeners *listeners, const char *canary) {
    send_canary(listeners->path, canary);
    send_canary(listeners->abstract, canary);
    int seen = saw_connection(listeners->tcp) | saw_connection(listeners->tcp6);
    char datagram[16];
    while (listeners->udp >= 0 && recv(listeners->udp, datagram, sizeof datagram, 0) > 0) seen = 1;
    return seen;
}

void drill_listeners_close(const struct drill_listeners *listeners) {
    const int all[] = {listeners->tcp, listeners->tcp6, listeners->udp, listeners->path,
                       listeners->abstract};
    for (size_t index = 0; index < sizeof all / sizeof *all; index++) {
        if (all[index] >= 0) close(all[index]);
    }
}

int drill_can_connect(uint16_t port) {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons(port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    char heard[DRILL_CANARY];
    int end = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (end < 0) return 0;
    struct timeval limit = {.tv_sec = 1};
    setsockopt(end, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    int reached = connect(end, (struct sockaddr *)&address, sizeof address) == 0
                  && recv(end, heard, sizeof heard, MSG_WAITALL) == sizeof heard
                  && memcmp(heard, drill_confession, sizeof heard) == 0;
    close(end);
    return reached;
}

int drill_terminal(int *observer) {
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master < 0 || grantpt(master) < 0 || unlockpt(master) < 0) return -errno;
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (slave < 0) return -errno;
    *observer = master;
    return slave;
}

#define _GNU_SOURCE
#include "attacks.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void take_canary(const struct drill_goals *goals, const char *name, size_t offset) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path + offset, name, sizeof address.sun_path - offset - 1);
    int end = socket(AF_UNIX, SOCK_STREAM, 0);
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + offset + strlen(name));
    if (end < 0 || connect(end, (struct sockaddr *)&address, size) < 0) return;
    tell_from(goals, end);
}

void attack_abstract_socket(const struct drill_goals *goals) {
    take_canary(goals, goals->abstract_name, 1);
}

void attack_path_socket(const struct drill_goals *goals) {
    take_canary(goals, goals->unix_path, 0);
}

static void reach(int family, int type, uint16_t port) {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons(port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr_in6 address6 = {
        .sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    int end = socket(family, type, 0);
    if (end < 0) return;
    int result = family == AF_INET
                     ? connect(end, (struct sockaddr *)&address, sizeof address)
                     : connect(end, (struct sockaddr *)&address6, sizeof address6);
    if (result == 0 && write(end, "x", 1) < 0) return;
}

void attack_tcp(const struct drill_goals *goals) {
    reach(AF_INET, SOCK_STREAM, goals->tcp_port);
}

void attack_tcp6(const struct drill_goals *goals) {
    reach(AF_INET6, SOCK_STREAM, goals->tcp6_port);
}

void attack_udp(const struct drill_goals *goals) {
    reach(AF_INET, SOCK_DGRAM, goals->udp_port);
}

void attack_listen(const struct drill_goals *goals) {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int end = socket(AF_INET, SOCK_STREAM, 0);
    if (end < 0 || bind(end, (struct sockaddr *)&address, size) < 0 || listen(end, 1) < 0) return;
    if (getsockname(end, (struct sockaddr *)&address, &size) < 0) return;
    uint16_t port = ntohs(address.sin_port);
    tell(goals, &port, sizeof port);
    // The observer tries to connect while this waits.
    int peer = accept(end, NULL, NULL);
    if (peer >= 0 && write(peer, drill_confession, DRILL_CANARY) < 0) return;
}

void attack_terminal(const struct drill_goals *goals) {
    if (ioctl(STDIN_FILENO, TIOCSTI, "x") == 0) confess(goals);
}

#include <ares.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

// The calls that the filter of the network process knows, and no others.

static ares_socket_t bulkhead_ares_open(int family, int type, int protocol, void *context) {
    (void)protocol, (void)context;
    return socket(family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

static int bulkhead_ares_close(ares_socket_t number, void *context) {
    (void)context;
    return close(number);
}

static int bulkhead_ares_connect(ares_socket_t number, const struct sockaddr *address,
                                 ares_socklen_t size, void *context) {
    (void)context;
    return connect(number, address, size);
}

static ares_ssize_t bulkhead_ares_receive(ares_socket_t number, void *bytes, size_t count, int flags,
                                          struct sockaddr *from, ares_socklen_t *size,
                                          void *context) {
    (void)context;
    return recvfrom(number, bytes, count, flags, from, size);
}

// What is left over is sent by the next call.
static ares_ssize_t bulkhead_ares_send(ares_socket_t number, const struct iovec *parts, int count,
                                       void *context) {
    (void)context;
    return count < 1 ? 0 : write(number, parts[0].iov_base, parts[0].iov_len);
}

// A channel that reads no file: every option that one could set is set, and the servers come later.
// 1 if there is one. (Status numbers have other types in other versions, so none leaves this file.)
static inline int bulkhead_ares_start(ares_channel *channel, int timeout_milliseconds, int tries,
                                      ares_sock_state_cb watch, void *context) {
    static const struct ares_socket_functions calls = {
        .asocket = bulkhead_ares_open,
        .aclose = bulkhead_ares_close,
        .aconnect = bulkhead_ares_connect,
        .arecvfrom = bulkhead_ares_receive,
        .asendv = bulkhead_ares_send,
    };
    struct ares_options options;
    memset(&options, 0, sizeof options);
    options.flags = ARES_FLAG_NOSEARCH | ARES_FLAG_NOALIASES;
    options.timeout = timeout_milliseconds;
    options.tries = tries;
    options.ndots = 1;
    options.lookups = (char *)"b";
    options.sock_state_cb = watch;
    options.sock_state_cb_data = context;
    int mask = ARES_OPT_FLAGS | ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_NDOTS |
               ARES_OPT_LOOKUPS | ARES_OPT_SOCK_STATE_CB | ARES_OPT_SERVERS | ARES_OPT_DOMAINS |
               ARES_OPT_SORTLIST;
    int result = ares_library_init(ARES_LIB_INIT_ALL);
    if (result != ARES_SUCCESS) return 0;
    result = ares_init_options(channel, &options, mask);
    if (result != ARES_SUCCESS) return 0;
    ares_set_socket_functions(*channel, &calls, NULL);
    return 1;
}

// 1 if these servers, each an address with a port, are asked from now on.
static inline int bulkhead_ares_use(ares_channel channel, const char *servers) {
    return ares_set_servers_ports_csv(channel, servers) == ARES_SUCCESS;
}

// What went wrong with a question, for a person; NULL if it has an answer, if that is that there is
// nothing, or if nobody waits for it any more.
static inline const char *bulkhead_ares_problem(int status) {
    switch (status) {
    case ARES_SUCCESS:
    case ARES_ENODATA:
    case ARES_ENOTFOUND:
    case ARES_EDESTRUCTION:
    case ARES_ECANCELLED:
        return NULL;
    default:
        return ares_strerror(status);
    }
}

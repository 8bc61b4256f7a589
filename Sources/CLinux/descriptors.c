#define _GNU_SOURCE
#include "descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int linux_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int linux_accept(int listener) {
    return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int linux_peer_credentials(int socket, struct linux_peer *peer) {
    struct ucred credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) return -1;
    peer->pid = credentials.pid;
    peer->uid = credentials.uid;
    peer->gid = credentials.gid;
    return 0;
}

// Padding lets the kernel install two descriptors where one was asked for, so all are looked at.
static void keep_one_descriptor(const struct cmsghdr *header, struct linux_arrival *arrival) {
    size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t index = 0; index < count; index++) {
        int descriptor;
        memcpy(&descriptor, CMSG_DATA(header) + index * sizeof(int), sizeof descriptor);
        if (arrival->descriptor == -1 && !arrival->unwelcome) {
            arrival->descriptor = descriptor;
        } else {
            close(descriptor);
            arrival->unwelcome = 1;
        }
    }
}

ssize_t linux_receive(int socket, void *bytes, size_t capacity, struct linux_arrival *arrival) {
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
    struct iovec part = {.iov_base = bytes, .iov_len = capacity};
    struct msghdr message = {
        .msg_iov = &part,
        .msg_iovlen = 1,
        .msg_control = control,
        .msg_controllen = sizeof control,
    };
    arrival->descriptor = -1;
    arrival->unwelcome = 0;
    ssize_t count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (count < 0) return count;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL;
         header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
            keep_one_descriptor(header, arrival);
        } else {
            arrival->unwelcome = 1;
        }
    }
    if (message.msg_flags & MSG_CTRUNC) arrival->unwelcome = 1;
    if (arrival->unwelcome && arrival->descriptor != -1) {
        close(arrival->descriptor);
        arrival->descriptor = -1;
    }
    return count;
}

ssize_t linux_send_descriptor(int socket, const void *bytes, size_t count, int descriptor) {
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
    memset(control, 0, sizeof control);
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {
        .msg_iov = &part,
        .msg_iovlen = 1,
        .msg_control = control,
        .msg_controllen = sizeof control,
    };
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}

int linux_close_range(unsigned first, unsigned last) { return close_range(first, last, 0); }

int linux_poll(struct pollfd *entries, size_t count, int64_t timeout_nanoseconds) {
    if (timeout_nanoseconds < 0) return ppoll(entries, count, NULL, NULL);
    struct timespec timeout = {
        .tv_sec = timeout_nanoseconds / 1000000000,
        .tv_nsec = timeout_nanoseconds % 1000000000,
    };
    return ppoll(entries, count, &timeout, NULL);
}

int linux_set_nonblocking(int descriptor, int on) {
    int flags = fcntl(descriptor, F_GETFL);
    if (flags == -1) return -1;
    return fcntl(descriptor, F_SETFL, on ? flags | O_NONBLOCK : flags & ~O_NONBLOCK);
}

int linux_is_open(int descriptor) { return fcntl(descriptor, F_GETFL) != -1; }

static int has_access(int descriptor, int mode) {
    int flags = fcntl(descriptor, F_GETFL);
    if (flags == -1) return -1;
    if (flags & O_PATH) return 0;
    return (flags & O_ACCMODE) == O_RDWR || (flags & O_ACCMODE) == mode;
}

int linux_is_readable(int descriptor) { return has_access(descriptor, O_RDONLY); }

int linux_is_writable(int descriptor) { return has_access(descriptor, O_WRONLY); }

// The library's fstat asks by an empty path (newfstatat), which no filter could tell from a real one.
static int has_type(int descriptor, mode_t type) {
    struct stat facts;
    if (syscall(SYS_fstat, descriptor, &facts) != 0) return -1;
    return (facts.st_mode & S_IFMT) == type;
}

int linux_is_pipe(int descriptor) { return has_type(descriptor, S_IFIFO); }

int linux_is_pipe_or_file(int descriptor) {
    int pipe = has_type(descriptor, S_IFIFO);
    return pipe != 0 ? pipe : has_type(descriptor, S_IFREG);
}

int linux_rename_new(const char *from, const char *to) {
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

int linux_is_socket(int descriptor) { return has_type(descriptor, S_IFSOCK); }

// Setting the threshold also stops malloc from raising it with each large block that is freed.
void linux_return_large_blocks(void) { mallopt(M_MMAP_THRESHOLD, 256 * 1024); }

void linux_return_freed_memory(void) { malloc_trim(0); }

int linux_wait(pid_t pid, int block) {
    int status;
    pid_t ended = waitpid(pid, &status, block ? 0 : WNOHANG);
    if (ended == -1) return -1;
    if (ended == 0) return -2;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

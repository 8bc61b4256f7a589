#define _GNU_SOURCE
#include "namespaces.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/magic.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

static int checked(long result) { return result < 0 ? -errno : (int)result; }

pid_t linux_clone(uint64_t namespaces) {
    // Not clone3: systemd's RestrictNamespaces= cannot look into its arguments and refuses it. The
    // pointers that follow have another order on each architecture, and all of them are null.
    return checked(syscall(SYS_clone, namespaces | SIGCHLD, NULL, NULL, NULL, NULL));
}

int linux_restrict_mount(const char *path, uint64_t limits) {
    struct mount_attr attributes = {.attr_set = limits};
    return checked(mount_setattr(AT_FDCWD, path, 0, &attributes, sizeof attributes));
}

int linux_change_root(const char *path) {
    if (chdir(path) != 0) return -errno;
    // With the same directory twice, the old root lies on top of the new one until it is detached.
    if (syscall(SYS_pivot_root, ".", ".") != 0) return -errno;
    if (umount2(".", MNT_DETACH) != 0) return -errno;
    return checked(chdir("/"));
}

int linux_become(uid_t uid, gid_t gid) {
    // The user namespace of systemd's PrivateUsers= forbids it; then there must be none to give up.
    if (setgroups(0, NULL) != 0 && (errno != EPERM || getgroups(0, NULL) != 0)) return -EPERM;
    if (setresgid(gid, gid, gid) != 0) return -errno;
    return checked(setresuid(uid, uid, uid));
}

int linux_keep_capabilities(uint64_t kept) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
    if (syscall(SYS_capget, &header, sets) != 0) return -errno;

    // The kernel refuses a number above its last capability, which ends the loop.
    for (unsigned long number = 0; prctl(PR_CAPBSET_READ, number, 0, 0, 0) >= 0; number++) {
        if (kept >> number & 1) continue;
        if (prctl(PR_CAPBSET_DROP, number, 0, 0, 0) != 0) return -errno;
    }
    for (int half = 0; half < 2; half++) {
        uint32_t mask = (uint32_t)(kept >> 32 * half);
        sets[half].effective &= mask;
        sets[half].permitted &= mask;
        sets[half].inheritable = 0;
    }
    return checked(syscall(SYS_capset, &header, sets));
}

int linux_set_dumpable(void) { return checked(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)); }

int linux_signal_descriptor(const int *signals, size_t count) {
    sigset_t set;
    sigemptyset(&set);
    for (size_t index = 0; index < count; index++) sigaddset(&set, signals[index]);
    if (sigprocmask(SIG_BLOCK, &set, NULL) != 0) return -errno;
    return checked(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

int linux_next_signal(int descriptor) {
    struct signalfd_siginfo arrived;
    ssize_t count = read(descriptor, &arrived, sizeof arrived);
    return count < 0 ? -errno : (int)arrived.ssi_signo;
}

int linux_reset_signals(void) {
    struct sigaction by_default = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) {
        // The kernel and the C library each refuse two, which nobody has changed either.
        sigaction(number, &by_default, NULL);
    }
    sigset_t none;
    sigemptyset(&none);
    return checked(sigprocmask(SIG_SETMASK, &none, NULL));
}

int linux_keeps_owners(const char *path) {
    struct statfs found;
    if (statfs(path, &found) < 0) return -errno;
    switch ((uint32_t)found.f_type) {
    case MSDOS_SUPER_MAGIC:
    case EXFAT_SUPER_MAGIC:
    case FUSE_SUPER_MAGIC:
    case 0x5346544e: // NTFS of the kernel before 6.9
    case 0x7366746e: // ntfs3
        return 0;
    default:
        return 1;
    }
}

int linux_is_delegated(const char *path) {
    char value = '0';
    if (getxattr(path, "user.delegate", &value, 1) == 1 && value == '1') return 1;
    if (getxattr(path, "trusted.delegate", &value, 1) == 1 && value == '1') return 1;
    return 0;
}

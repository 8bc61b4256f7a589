#ifndef BULKHEAD_NAMESPACES_H
#define BULKHEAD_NAMESPACES_H

// What the keeper needs to give a child a world of its own.
//
// Every function returns zero or a value that is not negative, or -errno.

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// The namespaces that `linux_clone` can make; the values are the kernel's.
enum linux_namespaces {
    linux_namespace_mount = 0x00020000,
    linux_namespace_ipc = 0x08000000,
    linux_namespace_user = 0x10000000,
    linux_namespace_pid = 0x20000000,
    linux_namespace_network = 0x40000000,
};

/// How far a mount is restricted by `linux_restrict_mount`; the values are the kernel's.
enum linux_mount_limits {
    linux_mount_read_only = 0x1,
    linux_mount_no_suid = 0x2,
    linux_mount_no_devices = 0x4,
    linux_mount_no_programs = 0x8,
};

/// fork into new namespaces.
///
/// The caller must be single-threaded: nothing of the C library is told about the fork.
pid_t linux_clone(uint64_t namespaces);

/// Adds limits to the mount at `path` and takes none away.
int linux_restrict_mount(const char *path, uint64_t limits);

/// Makes the mounted directory `path` the root and detaches the old one.
int linux_change_root(const char *path);

/// Gives up all supplementary groups, then takes the group and the user for good.
int linux_become(uid_t uid, gid_t gid);

/// Keeps of the effective, permitted and bounding sets only capabilities in this bit set.
int linux_keep_capabilities(uint64_t kept);

/// Lets this process open its own /proc files again, which it needs to map its user.
int linux_set_dumpable(void);

/// Blocks these signals and returns a nonblocking descriptor that they arrive at.
int linux_signal_descriptor(const int *signals, size_t count);

/// The number of the next signal that arrived.
int linux_next_signal(int descriptor);

/// Every signal is delivered and does what it does by default, as in a fresh program.
int linux_reset_signals(void);

/// 1 if the file system at `path` keeps an owner and a mode for each file, 0 if it is one that does not:
/// FAT, exFAT or NTFS, of the kernel or by FUSE.
int linux_keeps_owners(const char *path);

/// 1 if systemd has marked the cgroup at `path` as one that its processes may divide, 0 if not.
int linux_is_delegated(const char *path);

#endif

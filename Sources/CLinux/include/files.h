#ifndef BULKHEAD_FILES_H
#define BULKHEAD_FILES_H

// Files below a directory that is open already. No call follows a symbolic link at the end of a
// name; the names have no slash. Each returns -1 and sets errno on failure.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// How a name is opened. Nothing here waits for the other end of a FIFO.
enum linux_open_kind {
    LINUX_OPEN_READ,
    LINUX_OPEN_DIRECTORY,
    LINUX_OPEN_WRITE,
    /// Makes a file that nobody but the owner reads and writes; fails if the name is taken.
    LINUX_OPEN_CREATE,
    /// Makes a file that its owner can only read later; fails if the name is taken.
    LINUX_OPEN_CREATE_KEY,
    /// A file that is there, to be read and written.
    LINUX_OPEN_UPDATE,
    /// As LINUX_OPEN_CREATE, to be read too.
    LINUX_OPEN_CREATE_UPDATE,
};

/// Opens a name in a directory, close-on-exec.
int linux_open_at(int directory, const char *name, enum linux_open_kind kind);

/// Opens a directory by its path, close-on-exec.
int linux_open_directory(const char *path);

/// Opens /dev/null under each of 0, 1 and 2 that is closed, for programs that are started, too.
int linux_hold_standard_descriptors(void);

/// What fstat says of a descriptor.
struct linux_file_facts {
    /// Type and permissions.
    uint32_t mode;
    uint32_t uid;
    uint64_t size;
    uint64_t links;
};

int linux_facts(int descriptor, struct linux_file_facts *facts);

/// Whether the kernel makes an ordinary file up while it is read: proc, sysfs and their like. Such a file has no
/// size, and a read of it may wait for ever.
bool linux_is_made_up(int file);

/// getdents64: entries of a directory, 0 at the end.
ssize_t linux_directory_entries(int directory, void *buffer, size_t size);

/// Gives a name in a directory another name in the same one.
int linux_rename_at(int directory, const char *name, const char *target);

#endif

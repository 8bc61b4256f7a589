#define _GNU_SOURCE
#include "include/confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

// The kernel's structures, written out here because the headers of Debian 12 know only version 1 and
// 2 of them. The calls have the same numbers on every architecture.
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

struct ruleset_attributes {
    uint64_t files;
    uint64_t tcp;
    uint64_t scopes;
};

struct beneath_path {
    uint64_t access;
    int32_t parent;
} __attribute__((packed));

enum { QUERY_VERSION = 1, RULE_BENEATH_PATH = 1 };

static int checked(long result) {
    return result < 0 ? -errno : (int)result;
}

int linux_landlock_abi(void) {
    return checked(syscall(SYS_landlock_create_ruleset, NULL, 0, QUERY_VERSION));
}

int linux_landlock_create(int abi, uint64_t files, uint64_t tcp, uint64_t scopes) {
    struct ruleset_attributes attributes = {files, tcp, scopes};
    size_t size = abi < 4 ? sizeof(uint64_t) : abi < 6 ? 2 * sizeof(uint64_t) : sizeof attributes;
    return checked(syscall(SYS_landlock_create_ruleset, &attributes, size, 0));
}

int linux_landlock_allow(int ruleset, const char *path, uint64_t access) {
    int parent = checked(open(path, O_PATH | O_CLOEXEC));
    if (parent < 0) return parent;
    struct beneath_path rule = {access, parent};
    int result = checked(syscall(SYS_landlock_add_rule, ruleset, RULE_BENEATH_PATH, &rule, 0));
    close(parent);
    return result;
}

int linux_landlock_restrict(int ruleset) {
    return checked(syscall(SYS_landlock_restrict_self, ruleset, 0));
}

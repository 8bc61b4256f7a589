// What a process does to itself before it reads its first byte from outside.
//
// Every function returns zero or a value that is not negative, or -errno. None allocates, so all of
// them may be called between fork and exec and under a seccomp filter that permits the one call.
#ifndef BULKHEAD_CONFINEMENT_H
#define BULKHEAD_CONFINEMENT_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Denies core dumps, ptrace and /proc/PID access by other processes of the same user.
int linux_set_undumpable(void);
/// 1 if the process may be dumped and attached to, 0 if not.
int linux_dumpable(void);

/// Asks for SIGKILL when the parent dies; must come after the last change of uid, which clears it.
int linux_die_with_parent(void);

/// Gives up any gain of privilege by exec, for this process and all that it starts.
int linux_set_no_new_privileges(void);
/// 1 once no_new_privs holds.
int linux_no_new_privileges(void);

/// Refuses memory that is written and then executed (Linux 6.3 and later; -EINVAL before).
int linux_deny_write_execute(void);
/// 1 if the kernel refuses memory that is written and then executed.
int linux_write_execute_denied(void);

/// Empties the bounding and ambient sets and locks the securebits. Needs CAP_SETPCAP; call it before
/// the uid is changed.
int linux_drop_bounding_set(void);
/// Empties the effective, permitted and inheritable sets.
int linux_drop_capabilities(void);
/// The permitted set of this process.
int linux_permitted_capabilities(uint64_t *set);
/// The bounding set of this process.
int linux_bounding_capabilities(uint64_t *set);

enum linux_resource {
    LINUX_RESOURCE_CORE,
    LINUX_RESOURCE_OPEN_FILES,
    LINUX_RESOURCE_PROCESSES,
    LINUX_RESOURCE_ADDRESS_SPACE,
    LINUX_RESOURCE_DATA,
    LINUX_RESOURCE_FILE_SIZE,
    LINUX_RESOURCE_LOCKED_MEMORY,
    LINUX_RESOURCE_CPU_SECONDS
};
/// Sets soft and hard limit alike.
int linux_set_limit(enum linux_resource resource, uint64_t value);
/// Reads the hard limit; UINT64_MAX means none.
int linux_limit(enum linux_resource resource, uint64_t *value);

/// Closes every descriptor but those listed, which must be in ascending order.
int linux_close_others(const int *kept, size_t count);

/// Loads a filter with one call; `log` also records what it kills in the kernel's log.
int linux_seccomp_load(const struct sock_filter *program, unsigned short count, bool log);
/// 0: none, 2: a filter. Under a filter that does not permit the question, the process is killed.
int linux_seccomp_mode(void);

/// An anonymous file in memory, closed on exec.
int linux_memory_file(const char *name);
/// Goes back to the start of a file and returns its length.
int linux_rewind(int file);

/// The Landlock version of this kernel, or -ENOSYS (not built in), -EOPNOTSUPP (switched off).
int linux_landlock_abi(void);
/// A new ruleset that denies `files`, `tcp` and `scopes` unless a rule allows; `abi` sets the size of
/// the kernel's structure.
int linux_landlock_create(int abi, uint64_t files, uint64_t tcp, uint64_t scopes);
/// Allows `access` beneath `path`.
int linux_landlock_allow(int ruleset, const char *path, uint64_t access);
/// Puts the calling thread, and all that it starts, under the ruleset.
int linux_landlock_restrict(int ruleset);

#endif

#define _GNU_SOURCE
#include "include/confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <linux/securebits.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// Newer than the headers of Debian 12.
#ifndef PR_SET_MDWE
#define PR_SET_MDWE 65
#define PR_GET_MDWE 66
#endif
#define MDWE_REFUSE_EXEC_GAIN 1UL

static int checked(long result) {
    return result < 0 ? -errno : (int)result;
}

int linux_set_undumpable(void) {
    return checked(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0));
}

int linux_dumpable(void) {
    return checked(prctl(PR_GET_DUMPABLE, 0, 0, 0, 0));
}

int linux_die_with_parent(void) {
    return checked(prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0));
}

int linux_set_no_new_privileges(void) {
    return checked(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
}

int linux_no_new_privileges(void) {
    return checked(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
}

int linux_deny_write_execute(void) {
    return checked(prctl(PR_SET_MDWE, MDWE_REFUSE_EXEC_GAIN, 0, 0, 0));
}

int linux_write_execute_denied(void) {
    int flags = checked(prctl(PR_GET_MDWE, 0, 0, 0, 0));
    return flags < 0 ? flags : (flags & (int)MDWE_REFUSE_EXEC_GAIN) != 0;
}

int linux_drop_bounding_set(void) {
    int cleared = checked(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0));
    if (cleared < 0) return cleared;
    // The kernel refuses a number above its last capability, which ends the loop.
    for (unsigned long capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++) {
        int dropped = checked(prctl(PR_CAPBSET_DROP, capability, 0, 0, 0));
        if (dropped < 0) return dropped;
    }
    return checked(prctl(PR_SET_SECUREBITS,
                         SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_KEEP_CAPS_LOCKED
                             | SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED,
                         0, 0, 0));
}

int linux_drop_capabilities(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
    return checked(syscall(SYS_capset, &header, none));
}

int linux_permitted_capabilities(uint64_t *set) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
    int result = checked(syscall(SYS_capget, &header, data));
    if (result < 0) return result;
    *set = (uint64_t)data[1].permitted << 32 | data[0].permitted;
    return 0;
}

int linux_bounding_capabilities(uint64_t *set) {
    *set = 0;
    for (unsigned long capability = 0; capability < 64; capability++) {
        int held = prctl(PR_CAPBSET_READ, capability, 0, 0, 0);
        if (held < 0) break;
        *set |= (uint64_t)held << capability;
    }
    return 0;
}

static __rlimit_resource_t kernel_resource(enum linux_resource resource) {
    switch (resource) {
    case LINUX_RESOURCE_CORE: return RLIMIT_CORE;
    case LINUX_RESOURCE_OPEN_FILES: return RLIMIT_NOFILE;
    case LINUX_RESOURCE_PROCESSES: return RLIMIT_NPROC;
    case LINUX_RESOURCE_ADDRESS_SPACE: return RLIMIT_AS;
    case LINUX_RESOURCE_DATA: return RLIMIT_DATA;
    case LINUX_RESOURCE_FILE_SIZE: return RLIMIT_FSIZE;
    case LINUX_RESOURCE_LOCKED_MEMORY: return RLIMIT_MEMLOCK;
    case LINUX_RESOURCE_CPU_SECONDS: return RLIMIT_CPU;
    }
    __builtin_unreachable();
}

int linux_set_limit(enum linux_resource resource, uint64_t value) {
    struct rlimit limit = {.rlim_cur = value, .rlim_max = value};
    return checked(setrlimit(kernel_resource(resource), &limit));
}

int linux_limit(enum linux_resource resource, uint64_t *value) {
    struct rlimit limit;
    int result = checked(getrlimit(kernel_resource(resource), &limit));
    if (result < 0) return result;
    *value = limit.rlim_max;
    return 0;
}

int linux_close_others(const int *kept, size_t count) {
    unsigned first = 0;
    for (size_t index = 0; index < count; index++) {
        unsigned descriptor = (unsigned)kept[index];
        if (kept[index] < 0 || descriptor < first) return -EINVAL;
        if (descriptor > first) {
            int closed = checked(syscall(SYS_close_range, first, descriptor - 1, 0));
            if (closed < 0) return closed;
        }
        first = descriptor + 1;
    }
    return checked(syscall(SYS_close_range, first, ~0U, 0));
}

int linux_seccomp_load(const struct sock_filter *program, unsigned short count, bool log) {
    struct sock_fprog filter = {.len = count, .filter = (struct sock_filter *)program};
    unsigned flags = log ? SECCOMP_FILTER_FLAG_LOG : 0;
    return checked(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter));
}

int linux_seccomp_mode(void) {
    return checked(prctl(PR_GET_SECCOMP, 0, 0, 0, 0));
}

int linux_memory_file(const char *name) {
    return checked(memfd_create(name, MFD_CLOEXEC));
}

int linux_rewind(int file) {
    int length = checked(lseek(file, 0, SEEK_END));
    return length < 0 || lseek(file, 0, SEEK_SET) == 0 ? length : -errno;
}

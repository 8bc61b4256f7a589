#include <seccomp.h>
#include <stdint.h>

// Macros that Swift does not see.
static inline uint32_t seccomp_action_allow(void) { return SCMP_ACT_ALLOW; }
static inline uint32_t seccomp_action_errno(uint16_t number) { return SCMP_ACT_ERRNO(number); }
static inline uint32_t seccomp_action_kill_process(void) { return SCMP_ACT_KILL_PROCESS; }
static inline uint32_t seccomp_action_log(void) { return SCMP_ACT_LOG; }

#ifndef BULKHEAD_ARGUMENTS_H
#define BULKHEAD_ARGUMENTS_H

// The arguments of this program. Swift's CommandLine reads /proc/self/cmdline, and a private root has
// no /proc.

/// How many there are, the program's name included.
int linux_argument_count(void);

/// One of them, from 0.
const char *linux_argument(int index);

#endif

#include "arguments.h"

static int count;
static char **values;

// The C library hands every constructor what main gets.
__attribute__((constructor)) static void remember(int argc, char **argv) {
    count = argc;
    values = argv;
}

int linux_argument_count(void) { return count; }

const char *linux_argument(int index) { return values[index]; }

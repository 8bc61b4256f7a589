#ifndef BULKHEAD_CLINUX_H
#define BULKHEAD_CLINUX_H

// All of this module. A compiled module notices a header that was added only if one it read before
// names it, so each has its line here.

#include "arguments.h"
#include "confinement.h"
#include "descriptors.h"
#include "files.h"

#endif

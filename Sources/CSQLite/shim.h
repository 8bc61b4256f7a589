#include <sqlite3.h>

/// Has SQLite copy what is bound: a mark in place of a function, which Swift cannot write.
static inline sqlite3_destructor_type bulkhead_sqlite_copies(void) { return SQLITE_TRANSIENT; }

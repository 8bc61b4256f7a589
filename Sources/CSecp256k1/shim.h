#include <secp256k1.h>
#include <secp256k1_extrakeys.h>
#include <secp256k1_preallocated.h>
#include <secp256k1_schnorrsig.h>
#include <secp256k1_recovery.h>

// A constant in the library from 0.3 on, a plain variable before. Swift must not see a variable.
static inline const secp256k1_context *bulkhead_static_context(void) {
    return secp256k1_context_static;
}

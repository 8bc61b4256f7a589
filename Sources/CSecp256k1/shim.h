#include <secp256k1.h>
#include <secp256k1_extrakeys.h>
#include <secp256k1_preallocated.h>
#include <secp256k1_schnorrsig.h>
#include <secp256k1_recovery.h>
#if defined __has_include
#if __has_include(<secp256k1_ellswift.h>)
#include <secp256k1_ellswift.h>
#define BULKHEAD_HAS_ELLSWIFT 1
#endif
#endif

// A constant in the library from 0.3 on, a plain variable before. Swift must not see a variable.
static inline const secp256k1_context *bulkhead_static_context(void) {
    return secp256k1_context_static;
}

// Keys of the encrypted transport, from 0.4 on; without the module nothing can be made, and each of
// these returns 0.

static inline int bulkhead_has_ellswift(void) {
#ifdef BULKHEAD_HAS_ELLSWIFT
    return 1;
#else
    return 0;
#endif
}

static inline int bulkhead_ellswift_create(const secp256k1_context *context, unsigned char *encoded,
                                           const unsigned char *secret,
                                           const unsigned char *randomness) {
#ifdef BULKHEAD_HAS_ELLSWIFT
    return secp256k1_ellswift_create(context, encoded, secret, randomness);
#else
    (void)context, (void)encoded, (void)secret, (void)randomness;
    return 0;
#endif
}

// Party 0 made the first of the two encoded keys, party 1 the second.
static inline int bulkhead_ellswift_shared_secret(unsigned char *shared, const unsigned char *first,
                                                  const unsigned char *second,
                                                  const unsigned char *secret, int party) {
#ifdef BULKHEAD_HAS_ELLSWIFT
    return secp256k1_ellswift_xdh(secp256k1_context_static, shared, first, second, secret, party,
                                  secp256k1_ellswift_xdh_hash_function_bip324, NULL);
#else
    (void)shared, (void)first, (void)second, (void)secret, (void)party;
    return 0;
#endif
}

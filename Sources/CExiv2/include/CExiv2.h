#ifndef CEXIV2_H
#define CEXIV2_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Exiv2 is C++ and throws; this is the little of it that Swift needs, on bytes in memory. */

/* Gives each key of the metadata, such as Exif.GPSInfo.GPSLatitude, and in the end a 1. Returns 0 where
 * Exiv2 does not understand the bytes. */
int exiv2_keys(const unsigned char *bytes, size_t count,
               void (*found)(const char *key, void *context), void *context);

/* Writes the picture anew with those Exif entries only that `keep` answers 1 for, without thumbnail, XMP,
 * IPTC and comment. Returns 1 and memory for exiv2_free, or 0 where Exiv2 cannot do it. */
int exiv2_rewrite(const unsigned char *bytes, size_t count, int (*keep)(const char *key),
                  unsigned char **result, size_t *result_count);

void exiv2_free(unsigned char *result);

#ifdef __cplusplus
}
#endif

#endif

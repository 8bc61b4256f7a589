#include "CExiv2.h"

#include <cstdlib>
#include <exiv2/exiv2.hpp>

// Nothing of a file may reach the terminal: Exiv2 would print warnings about it. HEIC and AVIF have to
// be asked for before 0.28.
static void start() {
  Exiv2::LogMsg::setLevel(Exiv2::LogMsg::mute);
#if !EXIV2_TEST_VERSION(0, 28, 0)
  Exiv2::enableBMFF(true);
#endif
}

int exiv2_keys(const unsigned char *bytes, size_t count,
               void (*found)(const char *key, void *context), void *context) {
  start();
  try {
    auto image = Exiv2::ImageFactory::open(bytes, count);
    image->readMetadata();
    for (const auto &entry : image->exifData()) found(entry.key().c_str(), context);
    for (const auto &entry : image->xmpData()) found(entry.key().c_str(), context);
    for (const auto &entry : image->iptcData()) found(entry.key().c_str(), context);
    if (!image->comment().empty()) found("Comment", context);
    return 1;
  } catch (...) {
    return 0;
  }
}

int exiv2_rewrite(const unsigned char *bytes, size_t count, int (*keep)(const char *key),
                  unsigned char **result, size_t *result_count) {
  start();
  try {
    auto image = Exiv2::ImageFactory::open(bytes, count);
    image->readMetadata();
    Exiv2::ExifData kept;
    for (const auto &entry : image->exifData())
      if (keep(entry.key().c_str())) kept.add(entry);
    Exiv2::ExifThumb(kept).erase();
    // All but the ICC profile, which says how the colours look.
    image->clearIptcData();
    image->clearXmpPacket();
    image->clearXmpData();
    image->clearComment();
    image->setExifData(kept);
    image->writeMetadata();
    auto &io = image->io();
    if (io.open() != 0) return 0;
    size_t size = io.size();
    unsigned char *copy = static_cast<unsigned char *>(malloc(size ? size : 1));
    if (!copy) return 0;
    if (static_cast<size_t>(io.read(copy, size)) != size) {
      free(copy);
      return 0;
    }
    *result = copy;
    *result_count = size;
    return 1;
  } catch (...) {
    return 0;
  }
}

void exiv2_free(unsigned char *result) { free(result); }

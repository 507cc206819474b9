#include "traces/trace_digest.h"

#include <xxhash.h>

namespace lockstep::traces {

std::string Digest(std::string_view bytes) {
  constexpr std::string_view kHex = "0123456789abcdef";
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  std::string out = "xxh3:";
  out.reserve(kDigestSize);
  for (const unsigned char byte : canonical.digest) {
    out.push_back(kHex[byte >> 4U]);
    out.push_back(kHex[byte & 0xfU]);
  }
  return out;
}

}  // namespace lockstep::traces

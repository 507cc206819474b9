#include "traces/trace_digest.h"

#include <gtest/gtest.h>

namespace lockstep::traces {
namespace {

TEST(Digest, DiffersForOneBit) { EXPECT_NE(Digest("a"), Digest("b")); }

// Golden: what `xxh128sum` says of an empty file and of "lockstep".
TEST(Digest, IsXxh3Of128BitsInCanonicalOrder) {
  EXPECT_EQ(Digest(""), "xxh3:99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(Digest("").size(), kDigestSize);
}

}  // namespace
}  // namespace lockstep::traces

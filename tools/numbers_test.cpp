#include "tools/numbers.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <limits>

namespace lockstep::tools {
namespace {

TEST(Numbers, AreGroupedByThousands) {
  EXPECT_EQ(Thousands(0), "0");
  EXPECT_EQ(Thousands(999), "999");
  EXPECT_EQ(Thousands(1000), "1,000");
  EXPECT_EQ(Thousands(41207), "41,207");
  EXPECT_EQ(Thousands(1234567890), "1,234,567,890");
}

TEST(Numbers, AreShortenedToThreeDigits) {
  EXPECT_EQ(Short(0), "0");
  EXPECT_EQ(Short(9'999), "9999");
  EXPECT_EQ(Short(12'345), "12.3k");
  EXPECT_EQ(Short(999'700), "1.00M");
  EXPECT_EQ(Short(8'234'567), "8.23M");
  EXPECT_EQ(Short(1.31e9), "1.31G");
  EXPECT_EQ(Short(std::numeric_limits<double>::quiet_NaN()), "0");
}

TEST(Numbers, SayHowLongSomethingTakes) {
  EXPECT_EQ(DurationText(7.4), "7s");
  EXPECT_EQ(DurationText(75), "1m15s");
  EXPECT_EQ(DurationText(3700), "1h01m");
  EXPECT_EQ(DurationText(-1), "0s");
}

TEST(Numbers, AreReadInDecimalAndHexadecimal) {
  EXPECT_EQ(ParseNumber("42"), 42U);
  EXPECT_EQ(ParseNumber("0x2a"), 42U);
  EXPECT_EQ(ParseNumber("0X2A"), 42U);
  EXPECT_EQ(ParseNumber("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
}

TEST(Numbers, RefusesAnythingElse) {
  for (const char* text : {"", "0x", "-1", "+1", " 1", "1 ", "1.5", "12x", "0b1",
                           "18446744073709551616", "0x10000000000000000"}) {
    EXPECT_EQ(ParseNumber(text), std::nullopt) << text;
  }
}

RC_GTEST_PROP(Numbers, SeedIsReadAsItIsPrinted, (std::uint64_t seed)) {
  RC_ASSERT(ParseNumber(SeedText(seed)) == seed);
  RC_ASSERT(ParseNumber(std::to_string(seed)) == seed);
}

TEST(Numbers, ShellWordsAreQuotedOnlyWhereNeeded) {
  EXPECT_EQ(ShellWord("lockstep-out/log_small-0x2a.schedule"),
            "lockstep-out/log_small-0x2a.schedule");
  EXPECT_EQ(ShellWord("a b"), "'a b'");
  EXPECT_EQ(ShellWord("it's"), "'it'\\''s'");
  EXPECT_EQ(ShellWord(""), "''");
  EXPECT_EQ(ShellWord("$(rm)"), "'$(rm)'");
}

}  // namespace
}  // namespace lockstep::tools

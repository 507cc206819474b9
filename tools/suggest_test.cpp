#include "tools/suggest.h"

#include <gtest/gtest.h>

#include <array>

namespace lockstep::tools {
namespace {

constexpr std::array<std::string_view, 3> kKnown = {"log_small", "log_medium", "canary"};

TEST(Suggest, FindsTheNearestWord) {
  EXPECT_EQ(Nearest("log_smal", kKnown), "log_small");
  EXPECT_EQ(Nearest("cnaary", kKnown), "canary");
  EXPECT_EQ(Nearest("can", kKnown), "canary");
}

TEST(Suggest, SaysNothingWhenNothingIsNear) {
  EXPECT_EQ(Nearest("xyz", kKnown), "");
  EXPECT_EQ(Nearest("", kKnown), "");
  EXPECT_EQ(Nearest(std::string(1000, 'c'), kKnown), "");
}

TEST(Suggest, NamesWhatIsAccepted) {
  EXPECT_EQ(NotAmong("log_smal", kKnown),
            "\"log_smal\"; accepted: log_small, log_medium, canary; did you mean log_small?");
  EXPECT_EQ(NotAmong("?", kKnown), "\"?\"; accepted: log_small, log_medium, canary");
}

TEST(Suggest, EscapesWhatCannotBePrinted) {
  EXPECT_EQ(NotAmong("a\nb", kKnown).find('\n'), std::string::npos);
}

}  // namespace
}  // namespace lockstep::tools

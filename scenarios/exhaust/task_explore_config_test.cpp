#include "scenarios/exhaust/task_explore_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "protocol/task_claiming/task_claiming_module.h"

namespace lockstep::scenarios {
namespace {

using protocol::task_claiming::Dialect;
using protocol::task_claiming::kUnboundedLockVersion;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

constexpr std::string_view kSmall =
    R"({"Workers":["w1","w2"],"Tasks":["t1","t2"],"MaxFailures":2,"MaxLockVersion":5})";

/// kSmall with one text in place of another.
std::string SmallWith(std::string_view old_text, std::string_view new_text) {
  std::string text(kSmall);
  const std::size_t at = text.find(old_text);
  EXPECT_NE(at, std::string::npos) << old_text;
  return text.replace(at, old_text.size(), new_text);
}

std::string Refusal(std::string_view text) {
  const auto parsed = ParseTaskExploreConfig(text, "my.json");
  const auto* error = std::get_if<traces::ReadError>(&parsed);
  return error == nullptr ? "none" : error->ToString();
}

TaskExploreConfig Accepted(std::string_view text) {
  auto parsed = ParseTaskExploreConfig(text, "my.json");
  const auto* error = std::get_if<traces::ReadError>(&parsed);
  EXPECT_EQ(error, nullptr) << error->ToString();
  return error == nullptr ? std::get<TaskExploreConfig>(parsed) : TaskExploreConfig{};
}

TEST(TaskExploreConfig, RejectsABrokenAssumptionByName) {
  EXPECT_EQ(Refusal(SmallWith("\"MaxFailures\":2", "\"MaxFailures\":0")),
            "my.json: an assumption of the module does not hold: MaxFailures >= 1; "
            "accepted: constants for which it does");
  EXPECT_THAT(Refusal(SmallWith("\"MaxLockVersion\":5", "\"MaxLockVersion\":0")),
              HasSubstr("MaxLockVersion >= 1"));
  EXPECT_THAT(Refusal(SmallWith("\"w2\"", "\"w1\"")),
              HasSubstr("Workers: a set, without duplicates"));
  EXPECT_THAT(Refusal(SmallWith("\"t2\"", "\"NONE\"")), HasSubstr("\\notin Tasks"));
}

TEST(TaskExploreConfig, RejectsWhatIsNotAConfiguration) {
  EXPECT_EQ(Refusal(SmallWith("MaxFailures", "MaxFailure")),
            "my.json: unknown key \"MaxFailure\"; accepted: Workers, Tasks, MaxFailures, "
            "MaxLockVersion, Dialect, Quotient");
  EXPECT_THAT(Refusal(SmallWith(",\"MaxLockVersion\":5", "")),
              HasSubstr("missing key \"MaxLockVersion\""));
  EXPECT_THAT(Refusal(SmallWith("5}", "5,\"Quotient\":1}")),
              HasSubstr("wrong type of \"Quotient\"; accepted: true or false"));
  EXPECT_EQ(Refusal(SmallWith("5}", "5,\"Dialect\":[\"rounds\"]}")),
            "my.json: unknown dialect \"rounds\"; accepted: live_session_expiry, "
            "recover_markdown");
}

TEST(TaskExploreConfig, RefusesUpstreamsMediumAndOffersTheQuotient) {
  const auto medium = FindTaskExploreConfig("medium").value();
  EXPECT_EQ(medium.constants.max_lock_version, 20U);
  const std::string why = WhyInfeasible(medium).value_or("feasible");
  EXPECT_THAT(why, HasSubstr("4 workers and 3 tasks with MaxLockVersion 20 are not feasible"));
  EXPECT_THAT(why, HasSubstr("four_quotient"));
  EXPECT_FALSE(WhyInfeasible(QuotientOf(medium)));
  EXPECT_EQ(TaskExploreConfigToJson(QuotientOf(medium)),
            TaskExploreConfigToJson(FindTaskExploreConfig("four_quotient").value()));
}

TEST(TaskExploreConfig, LetsEverythingElseBeTried) {
  for (const std::string_view name : TaskExploreConfigNames()) {
    if (name == "medium") continue;
    EXPECT_FALSE(WhyInfeasible(FindTaskExploreConfig(name).value())) << name;
  }
  auto medium = FindTaskExploreConfig("medium").value();
  medium.constants.max_lock_version = 6;
  EXPECT_FALSE(WhyInfeasible(medium)) << "77,303,088 states";
}

TEST(TaskExploreConfig, AQuotientHasNoBound) {
  const auto bounded = Accepted(SmallWith("5}", "5,\"Quotient\":true}"));
  EXPECT_TRUE(bounded.quotient);
  EXPECT_EQ(bounded.constants.max_lock_version, kUnboundedLockVersion);
  EXPECT_EQ(
      TaskExploreConfigToJson(bounded),
      TaskExploreConfigToJson(Accepted(SmallWith(",\"MaxLockVersion\":5", ",\"Quotient\":true"))));
  EXPECT_FALSE(Accepted(SmallWith("5}", "5,\"Quotient\":false}")).quotient);
}

TEST(TaskExploreConfig, WritesWhatItReads) {
  EXPECT_EQ(TaskExploreConfigToJson(Accepted(kSmall)), kSmall);
  const std::string dialects =
      SmallWith("\"MaxLockVersion\":5",
                "\"Dialect\":[\"live_session_expiry\",\"recover_markdown\"],\"Quotient\":true");
  const auto config = Accepted(dialects);
  EXPECT_EQ(TaskExploreConfigToJson(config), dialects);
  EXPECT_EQ(config.constants.dialect,
            (Dialect{.recover_markdown = true, .live_session_expiry = true}));
}

TEST(TaskExploreConfig, KnowsThoseThatShip) {
  EXPECT_THAT(TaskExploreConfigNames(),
              UnorderedElementsAre("small", "small3", "medium", "small_quotient", "small3_quotient",
                                   "four_quotient"));
  EXPECT_EQ(TaskExploreConfigToJson(FindTaskExploreConfig("small").value()), kSmall);
  EXPECT_FALSE(FindTaskExploreConfig("large"));
}

}  // namespace
}  // namespace lockstep::scenarios

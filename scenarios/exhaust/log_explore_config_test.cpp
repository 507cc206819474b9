#include "scenarios/exhaust/log_explore_config.h"

#include <gtest/gtest.h>

#include <string>

#include "protocol/leaderless_log/leaderless_log_module.h"
#include "scenarios/exhaust/embedded_configs.h"

namespace lockstep::scenarios {
namespace {

using protocol::leaderless_log::Range;

constexpr std::string_view kSmall =
    R"({"Writers":["w1","w2"],"MaxOffset":5,"CompactRangeStart":1,"CompactRangeEnd":3,)"
    R"("CompactRange2Start":4,"CompactRange2End":5,"MaxBatch":2})";

/// kSmall with one text in place of another.
std::string SmallWith(std::string_view old_text, std::string_view new_text) {
  std::string text(kSmall);
  const std::size_t at = text.find(old_text);
  EXPECT_NE(at, std::string::npos) << old_text;
  return text.replace(at, old_text.size(), new_text);
}

std::string Refusal(std::string_view text) {
  const auto parsed = ParseLogExploreConfig(text, "my.json");
  const auto* error = std::get_if<traces::ReadError>(&parsed);
  return error == nullptr ? "none" : error->ToString();
}

LogExploreConfig Accepted(std::string_view text) {
  auto parsed = ParseLogExploreConfig(text, "my.json");
  const auto* error = std::get_if<traces::ReadError>(&parsed);
  EXPECT_EQ(error, nullptr) << error->ToString();
  return error == nullptr ? std::get<LogExploreConfig>(parsed) : LogExploreConfig{};
}

TEST(LogExploreConfig, RejectsABrokenAssumptionByName) {
  EXPECT_EQ(Refusal(SmallWith("\"MaxOffset\":5", "\"MaxOffset\":4")),
            "my.json: an assumption of the module does not hold: CompactRange2End <= MaxOffset; "
            "accepted: constants for which it does");
  EXPECT_NE(Refusal(SmallWith("\"CompactRangeStart\":1", "\"CompactRangeStart\":0"))
                .find("CompactRangeStart >= 1"),
            std::string::npos);
  EXPECT_NE(Refusal(SmallWith("\"MaxBatch\":2", "\"MaxBatch\":0")).find("MaxBatch >= 1"),
            std::string::npos);
  EXPECT_NE(Refusal(SmallWith("\"w2\"", "\"w1\"")).find("Writers: a set, without duplicates"),
            std::string::npos);
  EXPECT_NE(Refusal(SmallWith("\"CompactRange2Start\":4", "\"CompactRange2Start\":3"))
                .find("CompactRange2Start > CompactRangeEnd"),
            std::string::npos);
}

TEST(LogExploreConfig, RejectsKeysThatTheModuleDoesNotHave) {
  EXPECT_EQ(Refusal(SmallWith("MaxBatch", "MaxBatches")),
            "my.json: unknown key \"MaxBatches\"; accepted: Writers, MaxOffset, "
            "CompactRangeStart, CompactRangeEnd, CompactRange2Start, CompactRange2End, MaxBatch, "
            "Dialect");
  EXPECT_EQ(Refusal(SmallWith("\"MaxBatch\":2", "\"MaxBatch\":2,\"Ranges\":[]")).substr(0, 30),
            "my.json: unknown key \"Ranges\";");
}

TEST(LogExploreConfig, RejectsWrongValues) {
  EXPECT_EQ(Refusal(SmallWith("\"MaxOffset\":5", "\"MaxOffset\":\"5\"")),
            "my.json: wrong type of \"MaxOffset\"; accepted: an integer, 0 to 1000000");
  EXPECT_EQ(Refusal(SmallWith("\"w2\"", "2")),
            "my.json: wrong type of an item of \"Writers\"; accepted: an array of strings");
  EXPECT_EQ(Refusal(SmallWith("\"MaxBatch\":2", "\"MaxBatch\":2,\"Dialect\":[\"round\"]")),
            "my.json: unknown dialect \"round\"; accepted: compaction_resume, "
            "end_boundary_guard, overlap_markdown, rounds");
  EXPECT_EQ(Refusal("{}").substr(0, 31), "my.json: missing key \"Writers\";");
}

TEST(LogExploreConfig, RejectsWrongRanges) {
  const auto with = [](const std::string& ranges) {
    return Refusal(R"({"Writers":["a"],"MaxOffset":5,"MaxBatch":1,"Dialect":["rounds"],"Ranges":)" +
                   ranges + "}");
  };
  EXPECT_EQ(with("[[1,2]]"), "my.json: Ranges[1] is not an object; accepted: an object");
  EXPECT_EQ(with(R"([{"start":1,"end":2},{"start":3,"stop":4}])"),
            "my.json: unknown key \"stop\" in Ranges[2]; accepted: start, end");
  EXPECT_NE(with(R"([{"start":2,"end":3},{"start":1,"end":4}])")
                .find("Ranges[2].start beyond the range before it"),
            std::string::npos);
  EXPECT_EQ(with("[]"), "none") << "no round at all";
}

TEST(LogExploreConfig, AcceptsEveryDialect) {
  const LogExploreConfig plain = Accepted(kSmall);
  EXPECT_EQ(plain.constants.writers, (std::vector<std::string>{"w1", "w2"}));
  EXPECT_EQ(plain.constants.ranges, (std::vector<Range>{{1, 3}, {4, 5}}));
  EXPECT_EQ(plain.constants.dialect, protocol::leaderless_log::Dialect{});
  EXPECT_FALSE(plain.overlap_markdown);
  const LogExploreConfig all = Accepted(
      R"({"Dialect":["overlap_markdown","rounds","end_boundary_guard","compaction_resume"],)"
      R"("Ranges":[{"end":2,"start":1}],"Writers":["a"],"MaxOffset":2,"MaxBatch":1})");
  EXPECT_TRUE(all.overlap_markdown);
  EXPECT_EQ(DialectNames(all.constants.dialect).size(), 3U);
  EXPECT_EQ(all.constants.ranges, (std::vector<Range>{{1, 2}}));
}

TEST(LogExploreConfig, ShipsWhatItSays) {
  EXPECT_EQ(LogExploreConfigNames(), (std::vector<std::string_view>{"small", "medium"}));
  for (const std::string_view name : LogExploreConfigNames()) {
    EXPECT_TRUE(FindLogExploreConfig(name).has_value()) << name;
  }
  EXPECT_FALSE(FindLogExploreConfig("large").has_value());
  EXPECT_EQ(LogExploreConfigToJson(*FindLogExploreConfig("small")), kSmall);
  EXPECT_EQ(FindLogExploreConfig("medium")->constants.writers.size(), 3U);
}

TEST(LogExploreConfig, GivesBackWhatItPrints) {
  const std::string rounds =
      R"({"Writers":["a","b"],"MaxOffset":6,"Ranges":[{"start":1,"end":2},{"start":4,"end":6}],)"
      R"("MaxBatch":3,"Dialect":["compaction_resume","rounds","overlap_markdown"]})";
  EXPECT_EQ(LogExploreConfigToJson(Accepted(rounds)), rounds);
}

}  // namespace
}  // namespace lockstep::scenarios

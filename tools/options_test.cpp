#include "tools/options.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace lockstep::tools {
namespace {

const Flag& Named(std::string_view name) {
  for (const Flag& flag : AllFlags()) {
    if (flag.LongName() == name) return flag;
  }
  ADD_FAILURE() << name;
  return AllFlags().front();
}

bool Accepts(std::string_view flag, std::string_view value) {
  Options options;
  return Named(flag).set(options, value);
}

TEST(Options, RejectsValuesThatAreNotMeant) {
  for (const char* text : {"", "x", "-1", "1.5", "0x"}) EXPECT_FALSE(Accepts("--seed", text));
  for (const char* text : {"", "5", "1...", "..5", "5..", "9..1", "0..18446744073709551615"}) {
    EXPECT_FALSE(Accepts("--seeds", text)) << text;
  }
  for (const char* text : {"0", "", "x", "10d", "1.5h", "h", "99999999999h"}) {
    EXPECT_FALSE(Accepts("--budget", text)) << text;
  }
  for (const char* text : {"0/4", "5/4", "1/0", "1", "/", "a/b"}) {
    EXPECT_FALSE(Accepts("--shard", text)) << text;
  }
  for (const char* text : {"", "crashes", "crash,", ",crash", "all,crash"}) {
    EXPECT_FALSE(Accepts("--faults", text)) << text;
  }
  EXPECT_FALSE(Accepts("--jobs", "0"));
  EXPECT_FALSE(Accepts("--jobs", "1000"));
  EXPECT_FALSE(Accepts("--max-failures", "0"));
  EXPECT_FALSE(Accepts("--runs", "0"));
  EXPECT_FALSE(Accepts("--max-steps", "0"));
  EXPECT_FALSE(Accepts("--out", ""));
  EXPECT_FALSE(Accepts("--format", "pdf"));
  EXPECT_FALSE(Accepts("--mode", "guess"));
  EXPECT_FALSE(Accepts("--json", "maybe"));
  for (const char* text : {"", "0", "1K", "G", "1000", "1.5G", "99999999G"}) {
    EXPECT_FALSE(Accepts("--memory", text)) << text;
  }
  for (const char* text : {"", "A", "A=", "=weak", "A=fair", "A=weak,B", "A=weak B=none"}) {
    EXPECT_FALSE(Accepts("--fairness", text)) << text;
  }
}

TEST(Options, ReadsValues) {
  Options options;
  EXPECT_TRUE(Named("--seed").set(options, "0x2a"));
  EXPECT_EQ(options.seed, 42U);
  EXPECT_TRUE(Named("--seeds").set(options, "0x10..32"));
  EXPECT_EQ(options.seeds, (SeedRange{.first = 16, .last = 32}));
  EXPECT_TRUE(Named("--budget").set(options, "2h"));
  EXPECT_EQ(options.budget_seconds, 7200);
  EXPECT_TRUE(Named("--budget").set(options, "90"));
  EXPECT_EQ(options.budget_seconds, 90);
  EXPECT_TRUE(Named("--budget").set(options, "60m"));
  EXPECT_EQ(options.budget_seconds, 3600);
  EXPECT_TRUE(Named("--shard").set(options, "2/4"));
  EXPECT_EQ(options.shard, (Shard{.index = 2, .count = 4}));
  EXPECT_TRUE(Named("--json").set(options, "1"));
  EXPECT_TRUE(options.json);
  EXPECT_TRUE(Named("--json").set(options, "no"));
  EXPECT_FALSE(options.json);
}

TEST(Options, ReadsWhatASearchNeeds) {
  Options options;
  EXPECT_TRUE(Named("--memory").set(options, "512M"));
  EXPECT_EQ(options.memory_bytes, std::uint64_t{512} << 20U);
  EXPECT_TRUE(Named("--memory").set(options, "3G"));
  EXPECT_EQ(options.memory_bytes, std::uint64_t{3} << 30U);
  EXPECT_TRUE(Named("--memory").set(options, "1048576"));
  EXPECT_EQ(options.memory_bytes, std::uint64_t{1} << 20U);
  EXPECT_TRUE(Named("--fairness").set(options, "A=none,B=weak,C=strong"));
  ASSERT_EQ(options.fairness.size(), 3U);
  EXPECT_EQ(options.fairness[0].action, "A");
  EXPECT_EQ(options.fairness[0].kind, scenarios::FairnessKind::kNone);
  EXPECT_EQ(options.fairness[1].kind, scenarios::FairnessKind::kWeak);
  EXPECT_EQ(options.fairness[2].kind, scenarios::FairnessKind::kStrong);
}

TEST(Options, FaultListsAreReadAsTheyArePrinted) {
  for (const char* text : {"all", "none", "crash", "delay,crash"}) {
    const auto faults = ParseFaults(text);
    ASSERT_TRUE(faults.has_value()) << text;
    EXPECT_EQ(FaultsText(*faults), text);
  }
}

TEST(Options, EveryFlagHasItsOwnNameMirrorAndHelp) {
  std::set<std::string_view> seen;
  for (const Flag& flag : AllFlags()) {
    EXPECT_TRUE(seen.insert(flag.LongName()).second) << flag.names;
    EXPECT_TRUE(seen.insert(flag.environment).second) << flag.environment;
    EXPECT_TRUE(flag.environment.starts_with("LOCKSTEP_"));
    EXPECT_TRUE(flag.LongName().starts_with("--"));
    EXPECT_FALSE(flag.help.empty());
    EXPECT_FALSE(flag.accepted.empty());
    EXPECT_NE(flag.commands, 0U);
  }
}

}  // namespace
}  // namespace lockstep::tools

#include "sim/fault/fault.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::sim {
namespace {

TEST(FaultTable, ListsEachKindOnceInTheOrderOfTheEnum) {
  for (std::size_t i = 0; i < kFaultKinds; ++i) {
    EXPECT_EQ(static_cast<std::size_t>(FaultTable()[i].kind), i);
    EXPECT_EQ(&Info(static_cast<FaultKind>(i)), &FaultTable()[i]);
  }
}

TEST(FaultTable, NamesAreUniqueAndFixed) {
  const std::vector<std::string_view> expected = {"delay",
                                                  "request_lost",
                                                  "reply_lost",
                                                  "request_duplicated",
                                                  "crash",
                                                  "pause_short",
                                                  "pause_long",
                                                  "partition_short",
                                                  "partition_long",
                                                  "store_unavailable",
                                                  "object_write_failed",
                                                  "object_outcome_unknown",
                                                  "session_expiry_living"};
  std::vector<std::string_view> names;
  for (const FaultInfo& info : FaultTable()) names.push_back(info.name);
  EXPECT_EQ(names, expected);
  EXPECT_EQ(std::set<std::string_view>(names.begin(), names.end()).size(), kFaultKinds);
}

TEST(FaultTable, SaysInOneLineWhatEachDoesAndHowOften) {
  std::set<std::string_view> lines;
  for (const FaultInfo& info : FaultTable()) {
    EXPECT_FALSE(info.what.empty()) << info.name;
    EXPECT_EQ(info.what.find('\n'), std::string_view::npos) << info.name;
    EXPECT_GE(info.period, 2U) << info.name << " would leave no opportunity unused";
    lines.insert(info.what);
  }
  EXPECT_EQ(lines.size(), kFaultKinds);
}

TEST(FaultTable, KeepsOnlyTheExpiryOfALivingSessionBeyondTheModel) {
  for (const FaultInfo& info : FaultTable()) {
    const bool beyond = info.kind == FaultKind::kSessionExpiryLiving;
    EXPECT_EQ(info.scope == FaultScope::kBeyondModel, beyond) << info.name;
  }
}

TEST(FaultName, RoundTrips) {
  for (const FaultInfo& info : FaultTable()) {
    EXPECT_EQ(FaultFromName(FaultName(info.kind)), info.kind);
  }
}

TEST(FaultFromName, RejectsEverythingElse) {
  for (const std::string_view name : {"", "Crash", "crash ", "cras", "crash_", "all"}) {
    EXPECT_EQ(FaultFromName(name), std::nullopt) << name;
  }
}

TEST(FaultSet, StartsEmptyAndHoldsWhatWasAdded) {
  FaultSet set;
  EXPECT_TRUE(set.empty());
  set.Add(FaultKind::kCrash).Add(FaultKind::kDelay).Add(FaultKind::kCrash);
  EXPECT_FALSE(set.empty());
  for (const FaultInfo& info : FaultTable()) {
    const bool added = info.kind == FaultKind::kCrash || info.kind == FaultKind::kDelay;
    EXPECT_EQ(set.Has(info.kind), added) << info.name;
  }
  set.Remove(FaultKind::kCrash).Remove(FaultKind::kPauseLong);
  EXPECT_EQ(set, FaultSet().Add(FaultKind::kDelay));
  EXPECT_TRUE(set.Remove(FaultKind::kDelay).empty());
}

TEST(FaultSet, SeparatesTheModelFromBeyond) {
  for (const FaultInfo& info : FaultTable()) {
    EXPECT_TRUE(FaultSet::All().Has(info.kind)) << info.name;
    EXPECT_EQ(FaultSet::WithinModel().Has(info.kind), info.scope == FaultScope::kWithinModel);
  }
}

TEST(FaultSet, IntersectsKindByKind) {
  const FaultSet left = FaultSet().Add(FaultKind::kCrash).Add(FaultKind::kDelay);
  const FaultSet right = FaultSet().Add(FaultKind::kCrash).Add(FaultKind::kPauseLong);
  EXPECT_EQ(left.Intersect(right), FaultSet().Add(FaultKind::kCrash));
  EXPECT_EQ(left.Intersect(FaultSet::All()), left);
  EXPECT_TRUE(left.Intersect(FaultSet()).empty());
}

}  // namespace
}  // namespace lockstep::sim

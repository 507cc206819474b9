// Also of Shortcoming, which every other test relies on to tell a good violation from a bad one.
#include "invariants/violation_builder.h"

#include <gtest/gtest.h>

#include "invariants/log_fixture.h"

namespace lockstep::invariants {
namespace {

TEST(ViolationBuilder, RejectsWhatLacksSomething) {
  EXPECT_NE(Shortcoming(SafetyViolation("Nonsense", "m", {{"x", Number(1), Number(2)}})), "");
  EXPECT_NE(Shortcoming(LivenessViolation("TypeOK", "m", {{"x", Number(1), Number(2)}})), "");
  EXPECT_NE(Shortcoming(SafetyViolation("TypeOK", "", {{"x", Number(1), Number(2)}})), "");
  EXPECT_NE(Shortcoming(SafetyViolation("TypeOK", "m", {})), "");
  EXPECT_NE(Shortcoming(SafetyViolation("TypeOK", "m", {{"x", Number(1), Number(1)}})), "");
}

TEST(ViolationBuilder, AcceptsFactsSideBySide) {
  const Violation violation = SafetyViolation(
      "TypeOK", "x is off", {{"x", Number(1), Number(2)}, {"y", Bound("<=", 3), Text("four")}});
  EXPECT_EQ(Shortcoming(violation), "");
  EXPECT_EQ(violation.property, "TypeOK");
  EXPECT_EQ(violation.message, "x is off");
  EXPECT_EQ(violation.expected.ToJson(), R"({"x":1,"y":"<= 3"})");
  EXPECT_EQ(violation.actual.ToJson(), R"({"x":2,"y":"four"})");
}

TEST(ViolationBuilder, AcceptsEveryKind) {
  EXPECT_EQ(SafetyViolation("TypeOK", "m", {}).kind, PropertyKind::kSafety);
  EXPECT_EQ(LivenessViolation("AppendProgress", "m", {}).kind, PropertyKind::kLiveness);
  EXPECT_EQ(ConformanceViolation("ConformanceGuard", "m", {}).kind, PropertyKind::kConformance);
}

TEST(ViolationBuilder, DescribesEntries) {
  EXPECT_EQ(DescribeEntry(7, Wal(4)), "WAL 4..7");
  EXPECT_EQ(DescribeEntry(7, {}), "nothing at 7");
  EXPECT_EQ(DescribeEntry(7, {static_cast<protocol::leaderless_log::EntryType>(9), 1}),
            "UNKNOWN 7..7");
  EXPECT_EQ(IndexName(7), "logIndex[7]");
  EXPECT_EQ(EntryValue(Compacted(4)).ToJson(), R"({"type":"COMPACTED","msgCount":4})");
}

}  // namespace
}  // namespace lockstep::invariants

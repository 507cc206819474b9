#include "invariants/violation.h"

#include <gtest/gtest.h>

namespace lockstep::invariants {
namespace {

TEST(Verdict, RejectsTheWholeWhenAnyPartIsViolated) {
  EXPECT_EQ(Merge(Verdict::kHolds, Verdict::kViolated), Verdict::kViolated);
  EXPECT_EQ(Merge(Verdict::kViolated, Verdict::kInconclusive), Verdict::kViolated);
}

TEST(Verdict, AcceptsTheWholeOnlyWhenEveryPartHolds) {
  EXPECT_EQ(Merge(Verdict::kHolds, Verdict::kHolds), Verdict::kHolds);
  EXPECT_EQ(Merge(Verdict::kInconclusive, Verdict::kHolds), Verdict::kInconclusive);
}

TEST(Verdict, IgnoresTheOrder) {
  for (const Verdict a : {Verdict::kHolds, Verdict::kInconclusive, Verdict::kViolated}) {
    for (const Verdict b : {Verdict::kHolds, Verdict::kInconclusive, Verdict::kViolated}) {
      EXPECT_EQ(Merge(a, b), Merge(b, a));
    }
  }
}

TEST(Verdict, HasNames) {
  EXPECT_EQ(VerdictName(Verdict::kHolds), "holds");
  EXPECT_EQ(VerdictName(Verdict::kInconclusive), "inconclusive");
  EXPECT_EQ(VerdictName(Verdict::kViolated), "violated");
  EXPECT_EQ(PropertyKindName(PropertyKind::kSafety), "safety");
  EXPECT_EQ(PropertyKindName(PropertyKind::kLiveness), "liveness");
  EXPECT_EQ(PropertyKindName(PropertyKind::kConformance), "conformance");
}

}  // namespace
}  // namespace lockstep::invariants

// What the properties say of each dialect: all hold upstream, and the shortest way to each failure
// in the others, with the figures that TLC finds.
#include <gtest/gtest.h>

#include <array>
#include <string_view>

#include "invariants/task_claiming/search_for_tests.h"

namespace lockstep::invariants::task_claiming {
namespace {

using protocol::task_claiming::Constants;
using protocol::task_claiming::Dialect;
using protocol::task_claiming::SmallConstants;

/// The fewest steps to a state that breaks the property; 0 when none does.
std::size_t StepsToBreak(std::string_view name, const Dialect& dialect,
                         protocol::task_claiming::FailCount max_failures = 2) {
  Constants constants = SmallConstants();
  constants.dialect = dialect;
  constants.max_failures = max_failures;
  const TaskProperty* property = FindTaskProperty(name);
  return FirstBroken(constants, {}, {property, 1}).steps;
}

TEST(TaskDialectProperties, RejectRecoveryWithLocks) {
  const Dialect dialect{.recover_markdown = true, .live_session_expiry = false};
  EXPECT_EQ(StepsToBreak("LockConsistency", dialect), 4U) << "scan, lock, crash, recover";
  for (const TaskProperty& property : TaskProperties()) {
    if (property.name == "LockConsistency") continue;
    EXPECT_EQ(StepsToBreak(property.name, dialect), 0U) << property.name;
  }
}

TEST(TaskDialectProperties, RejectExpiryOfLivingWorkers) {
  const Dialect dialect{.recover_markdown = false, .live_session_expiry = true};
  EXPECT_EQ(StepsToBreak("MutualExclusion", dialect), 5U) << "scan, lock, expire, scan, lock";
  EXPECT_EQ(StepsToBreak("NoDoubleExecution", dialect), 6U);
  EXPECT_EQ(StepsToBreak("NoOrphanExecution", dialect), 6U);
  EXPECT_EQ(StepsToBreak("TypeOK", dialect), 11U) << "one failure too many";
  EXPECT_EQ(StepsToBreak("TypeOK", dialect, 1), 7U) << "one failure too many, of one";
  EXPECT_EQ(StepsToBreak("DLQOnlyAfterMaxFailures", dialect), 0U);
  EXPECT_EQ(StepsToBreak("LockConsistency", dialect), 0U);
}

TEST(TaskDialectProperties, RejectBothTogether) {
  const Dialect dialect{.recover_markdown = true, .live_session_expiry = true};
  EXPECT_EQ(StepsToBreak("LockConsistency", dialect), 4U);
  EXPECT_EQ(StepsToBreak("MutualExclusion", dialect), 5U);
}

TEST(TaskDialectProperties, AcceptUpstream) {
  EXPECT_EQ(FirstBroken(SmallConstants(), {}, TaskProperties()), Finding{});
}

}  // namespace
}  // namespace lockstep::invariants::task_claiming

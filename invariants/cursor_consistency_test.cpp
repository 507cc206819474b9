#include "invariants/cursor_consistency.h"

#include <gtest/gtest.h>

#include "invariants/log_fixture.h"

namespace lockstep::invariants {
namespace {

TEST(CursorConsistency, RejectsACursorBeyondTheCounter) {
  LogFixture log;
  log.SetSpecCounter(4);
  log.SetSpecCursor(5);
  EXPECT_THAT(CursorConsistency(log.Step()), Breaks("CursorConsistency"));
  EXPECT_THAT(CursorConsistency(log.machine, log.state), Breaks("CursorConsistency"));
}

TEST(CursorConsistency, AcceptsACursorAtTheCounter) {
  LogFixture log;
  log.SetSpecCounter(5);
  log.SetSpecCursor(5);
  EXPECT_THAT(CursorConsistency(log.Step()), Holds());
}

TEST(CursorConsistency, IgnoresACursorThatGoesBack) {
  LogFixture log;
  log.SetSpecCounter(5);
  log.SetSpecCursor(5);
  log.BeginStep();
  log.SetSpecCursor(2);
  EXPECT_THAT(CursorConsistency(log.Step()), Holds()) << "CursorBehindCompaction is for that";
}

}  // namespace
}  // namespace lockstep::invariants

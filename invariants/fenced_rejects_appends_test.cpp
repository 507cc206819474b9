// The machine's own guard rejects every writer of a FENCED log, so no state of it is a bad step.
// What can be wrong is the guard: the tests that reject bring one that has forgotten the fence.
#include "invariants/fenced_rejects_appends.h"

#include <gtest/gtest.h>

#include "invariants/log_fixture.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::LogState;
using protocol::leaderless_log::Machine;
using protocol::leaderless_log::ReaderResult;
using protocol::leaderless_log::State;
using protocol::leaderless_log::Writer;
using protocol::leaderless_log::WriterIndex;
using protocol::leaderless_log::WriterState;

constexpr Writer kAssigning{WriterState::ASSIGNING_OFFSET, 0, 1, ReaderResult::NONE};

bool ForgetsTheFence(const Machine& /*machine*/, const State& state, WriterIndex writer) {
  return state.writers[writer].state == WriterState::ASSIGNING_OFFSET;
}

TEST(FencedRejectsAppends, RejectsAFenceThatDoesNotStopAWriter) {
  LogFixture log;
  log.SetSpecWriter(1, kAssigning);
  log.BeginStep();
  log.SetSpecLogState(LogState::FENCED);
  EXPECT_THAT(FencedRejectsAppends(log.Step(), ForgetsTheFence), Breaks("FencedRejectsAppends"));
  EXPECT_THAT(FencedRejectsAppends(log.machine, log.state, ForgetsTheFence),
              Breaks("FencedRejectsAppends"));
}

TEST(FencedRejectsAppends, RejectsAWriterThatGetsReadyBehindTheFence) {
  LogFixture log;
  log.SetSpecLogState(LogState::FENCED);
  log.BeginStep();
  log.SetSpecWriter(2, kAssigning);
  EXPECT_THAT(FencedRejectsAppends(log.Step(), ForgetsTheFence), Breaks("FencedRejectsAppends"));
}

TEST(FencedRejectsAppends, RejectsAWriterForWhomTheCounterMadeRoom) {
  LogFixture log;
  log.SetSpecLogState(LogState::FENCED);
  log.SetSpecWriter(0, kAssigning);
  log.BeginStep();
  log.SetSpecCounter(5);
  EXPECT_THAT(FencedRejectsAppends(log.Step(), ForgetsTheFence), Breaks("FencedRejectsAppends"));
}

TEST(FencedRejectsAppends, AcceptsTheMachinesOwnGuard) {
  LogFixture log;
  log.SetSpecWriter(0, kAssigning);
  log.SetSpecLogState(LogState::FENCED);
  EXPECT_THAT(FencedRejectsAppends(log.Step()), Holds());
  EXPECT_THAT(FencedRejectsAppends(log.machine, log.state), Holds());
}

TEST(FencedRejectsAppends, AcceptsAWriterOfAnOpenLog) {
  LogFixture log;
  log.SetSpecWriter(0, kAssigning);
  EXPECT_THAT(FencedRejectsAppends(log.Step(), ForgetsTheFence), Holds());
}

TEST(FencedRejectsAppends, IgnoresWritersThatTheStepDidNotChange) {
  LogFixture log;
  log.SetSpecLogState(LogState::FENCED);
  log.SetSpecWriter(0, kAssigning);
  log.BeginStep();
  log.SetSpecWriter(1, {});
  EXPECT_THAT(FencedRejectsAppends(log.Step(), ForgetsTheFence), Holds());
}

}  // namespace
}  // namespace lockstep::invariants

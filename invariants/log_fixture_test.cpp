// Goal: an uneventful life of a log breaks no oracle, and a step that breaks none costs no memory.
//
// The first shows that the fixture is a fair world (an oracle's own test could pass because the
// fixture is wrong elsewhere); the second is what lets all oracles run at every step of every run.
#include "invariants/log_fixture.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "invariants/log_registry.h"

namespace {

std::int64_t allocations = 0;

}  // namespace

// Counts every allocation of this program.
void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::LogState;
using protocol::leaderless_log::LogStep;
using protocol::leaderless_log::Offset;
using protocol::leaderless_log::Range;

/// Checks every oracle, and that none allocates.
void ExpectHolds(const LogFixture& log) {
  const LogStep step = log.Step();
  for (const LogProperty& property : LogProperties()) {
    if (property.step == nullptr) continue;
    const std::int64_t before = allocations;
    const std::optional<Violation> violation = property.step(step);
    const std::int64_t used = allocations - before;
    EXPECT_THAT(violation, Holds()) << property.name;
    EXPECT_EQ(used, 0) << property.name << " allocates while it holds";
  }
}

TEST(LogFixture, RejectsToHideABrokenStep) {
  LogFixture log;
  log.AppendAcknowledged(1, 2);
  log.BeginStep();
  log.DeleteEntry(2);
  int broken = 0;
  for (const LogProperty& property : LogProperties()) {
    if (property.step != nullptr && property.step(log.Step())) ++broken;
  }
  EXPECT_EQ(broken, 2) << "OneEffectiveEntry and AcknowledgedRecordsReadable";
}

TEST(LogFixture, AcceptsAnUneventfulLife) {
  LogFixture log;
  ExpectHolds(log);
  for (const std::uint64_t operation : {1U, 2U, 3U, 4U}) {
    log.BeginStep();
    const Offset end = log.Append(operation, 2);
    ExpectHolds(log);
    log.BeginStep();
    log.Acknowledge(operation, end, 2);
    ExpectHolds(log);
  }
  for (const Range& range : log.constants.ranges) {
    log.BeginStep();
    log.WriteCompacted(range);
    ExpectHolds(log);
    log.BeginStep();
    log.DeleteOld(range);
    ExpectHolds(log);
    log.BeginStep();
    log.MoveCursor(range);
    ExpectHolds(log);
  }
  for (const char* object : {"wal/1", "wal/2", "wal/3", "wal/4"}) {
    log.BeginStep();
    log.DeleteObject(object);
    ExpectHolds(log);
  }
}

TEST(LogFixture, AcceptsAFenceAndReads) {
  LogFixture log;
  const Offset end = log.Append(1, 3);
  log.BeginStep();
  log.SetLogState(LogState::FENCED);
  ExpectHolds(log);
  log.BeginStep();
  log.Acknowledge(1, end, 3);
  ExpectHolds(log);
  log.BeginStep();
  log.AnswerFence({.operation = 2, .epoch = log.StateVersion(), .sealed_end = end});
  ExpectHolds(log);
  log.BeginStep();
  log.AnswerRead({.operation = 3,
                  .offset = 2,
                  .found = true,
                  .bytes = "1.2",
                  .must_be_found = true,
                  .highest_found_before = 1});
  ExpectHolds(log);
  log.BeginStep();
  log.SetLogState(LogState::OPEN);
  ExpectHolds(log);
}

TEST(LogFixture, IgnoresHistoryOnceAStepBegins) {
  LogFixture log;
  log.AppendAcknowledged(1, 2);
  log.SetSpecCounter(3);
  log.AnswerRead({.operation = 2, .offset = 1, .bytes = {}});
  log.BeginStep();
  const LogStep step = log.Step();
  EXPECT_TRUE(step.observed_changes.empty());
  EXPECT_FALSE(step.changes.sequence_counter.has_value());
  EXPECT_EQ(step.assignment, nullptr);
  EXPECT_EQ(step.acknowledgement, nullptr);
  EXPECT_EQ(step.read_answer, nullptr);
  EXPECT_EQ(step.ledger.AcknowledgedAt(2), 1U);
}

}  // namespace
}  // namespace lockstep::invariants

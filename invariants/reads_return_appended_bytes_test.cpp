#include "invariants/reads_return_appended_bytes.h"

#include <gtest/gtest.h>

#include "invariants/log_fixture.h"

namespace lockstep::invariants {
namespace {

constexpr const char* kName = "ReadsReturnAppendedBytes";

TEST(ReadsReturnAppendedBytes, RejectsOtherBytes) {
  LogFixture log;
  log.Append(1, 2);
  log.BeginStep();
  log.AnswerRead({.operation = 2, .offset = 2, .found = true, .bytes = "1.1"});
  EXPECT_THAT(ReadsReturnAppendedBytes(log.Step()), Breaks(kName));
}

TEST(ReadsReturnAppendedBytes, RejectsBytesOutOfNowhere) {
  LogFixture log;
  log.AnswerRead({.operation = 2, .offset = 2, .found = true, .bytes = "1.2"});
  EXPECT_THAT(ReadsReturnAppendedBytes(log.Step()), Breaks(kName));
}

TEST(ReadsReturnAppendedBytes, RejectsMissingWhatWasAcknowledged) {
  LogFixture log;
  log.AnswerRead({.operation = 2, .offset = 2, .bytes = {}, .must_be_found = true});
  EXPECT_THAT(ReadsReturnAppendedBytes(log.Step()), Breaks(kName));
}

TEST(ReadsReturnAppendedBytes, AcceptsWhatWasAppended) {
  LogFixture log;
  log.Append(1, 2);
  log.BeginStep();
  log.AnswerRead(
      {.operation = 2, .offset = 2, .found = true, .bytes = "1.2", .must_be_found = true});
  EXPECT_THAT(ReadsReturnAppendedBytes(log.Step()), Holds());
}

TEST(ReadsReturnAppendedBytes, AcceptsNotFindingWhatNobodyWasPromised) {
  LogFixture log;
  log.Append(1, 2);
  log.BeginStep();
  log.AnswerRead({.operation = 2, .offset = 2, .bytes = {}});
  EXPECT_THAT(ReadsReturnAppendedBytes(log.Step()), Holds());
}

TEST(ReadsReturnAppendedBytes, IgnoresStepsWithoutAnAnswer) {
  LogFixture log;
  log.Append(1, 2);
  EXPECT_THAT(ReadsReturnAppendedBytes(log.Step()), Holds());
}

}  // namespace
}  // namespace lockstep::invariants

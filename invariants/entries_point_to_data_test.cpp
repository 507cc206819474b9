#include "invariants/entries_point_to_data.h"

#include <gtest/gtest.h>

#include "invariants/log_fixture.h"

namespace lockstep::invariants {
namespace {

constexpr const char* kName = "EntriesPointToData";

TEST(EntriesPointToData, RejectsAnEntryWhoseObjectWasNeverWritten) {
  LogFixture log;
  log.PutEntry(2, Wal(2), "wal/1");
  EXPECT_THAT(EntriesPointToData(log.Step()), Breaks(kName));
}

TEST(EntriesPointToData, RejectsDeletingAnObjectInUse) {
  LogFixture log;
  log.Append(1, 2);
  log.BeginStep();
  log.DeleteObject("wal/1");
  EXPECT_THAT(EntriesPointToData(log.Step()), Breaks(kName));
}

TEST(EntriesPointToData, RejectsDeletingOneOfTwoUses) {
  LogFixture log;
  log.PutObject("shared", LogFixture::RecordsOf(1, 2));
  log.PutEntry(1, Wal(1), "shared");
  log.PutEntry(2, Wal(1), "shared");
  log.DeleteEntry(2);
  log.BeginStep();
  log.DeleteObject("shared");
  EXPECT_THAT(EntriesPointToData(log.Step()), Breaks(kName));
}

TEST(EntriesPointToData, AcceptsAnEntryBehindItsObject) {
  LogFixture log;
  log.Append(1, 2);
  EXPECT_THAT(EntriesPointToData(log.Step()), Holds());
}

TEST(EntriesPointToData, AcceptsDeletingAnObjectThatItsEntryHasLeft) {
  LogFixture log;
  log.Append(1, 2);
  log.Append(2, 2);
  log.WriteCompacted({1, 4});
  log.DeleteOld({1, 4});
  log.BeginStep();
  log.DeleteObject("wal/1");
  log.DeleteObject("wal/2");
  log.DeleteObject("never written");
  EXPECT_THAT(EntriesPointToData(log.Step()), Holds());
}

TEST(EntriesPointToData, IgnoresAnObjectThatIsBack) {
  LogFixture log;
  log.Append(1, 2);
  log.BeginStep();
  log.DeleteObject("wal/1");
  log.PutObject("wal/1", LogFixture::RecordsOf(1, 2));
  EXPECT_THAT(EntriesPointToData(log.Step()), Holds());
}

}  // namespace
}  // namespace lockstep::invariants

#include "invariants/index_lookup.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "invariants/log_fixture.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::Changes;
using protocol::leaderless_log::Entry;
using protocol::leaderless_log::LogIndex;
using protocol::leaderless_log::Offset;

struct Bounds {
  Offset first = 0;
  Offset last = 0;
  friend bool operator==(const Bounds&, const Bounds&) = default;
};

std::vector<Bounds> Touched(const LogIndex& index, const std::vector<Offset>& keys) {
  std::vector<Changes::IndexChange> changes;
  for (const Offset key : keys) changes.push_back({key, Entry{}});
  std::vector<Bounds> touched;
  const auto none = CheckTouched(index, changes, [&](Offset first, Offset last) {
    touched.push_back({first, last});
    return std::optional<Violation>();
  });
  EXPECT_THAT(none, Holds());
  return touched;
}

TEST(CeilingLookup, RejectsAnEntryThatDoesNotReachDown) {
  LogIndex index;
  index.Set(5, Wal(2));
  EXPECT_FALSE(CeilingLookup(index, 3).Covers(3));
  EXPECT_FALSE(CeilingLookup(index, 6).Covers(6));
}

TEST(CeilingLookup, AcceptsTheNearestEntry) {
  LogIndex index;
  index.Set(5, Wal(2));
  index.Set(8, Compacted(8));
  EXPECT_EQ(CeilingLookup(index, 4).key, 5);
  EXPECT_TRUE(CeilingLookup(index, 4).Covers(4));
  EXPECT_EQ(CeilingLookup(index, 6).key, 8);
}

TEST(PreviousEntry, StopsAtItsFloor) {
  LogIndex index;
  index.Set(2, Wal(1));
  index.Set(9, Wal(1));
  EXPECT_EQ(PreviousEntry(index, 9, 0), 2);
  EXPECT_EQ(PreviousEntry(index, 9, 5), 5);
  EXPECT_EQ(PreviousEntry(index, 2, 0), 0);
  EXPECT_EQ(PreviousEntry(index, 100, 0), 9);
}

TEST(CheckTouched, MakesOneRangeOfARangeDelete) {
  LogIndex index;
  index.Set(3, Wal(1));
  index.Set(9, Compacted(6));
  EXPECT_EQ(Touched(index, {4, 6, 8}), (std::vector<Bounds>{{4, 8}}));
  EXPECT_EQ(Touched(index, {8, 6, 4}), (std::vector<Bounds>{{4, 8}}));
}

TEST(CheckTouched, KeepsSeparateWhatAnEntrySeparates) {
  LogIndex index;
  index.Set(5, Wal(1));
  EXPECT_EQ(Touched(index, {3, 7}), (std::vector<Bounds>{{1, 3}, {6, 7}}));
  EXPECT_EQ(Touched(index, {7, 3}), (std::vector<Bounds>{{6, 7}, {1, 3}}));
}

TEST(CheckTouched, StopsAtTheFirstViolation) {
  LogIndex index;
  index.Set(5, Wal(1));
  int calls = 0;
  const auto violation =
      CheckTouched(index, {{3, Entry{}}, {7, Entry{}}}, [&](Offset /*first*/, Offset /*last*/) {
        ++calls;
        return std::optional<Violation>(Violation{});
      });
  EXPECT_TRUE(violation.has_value());
  EXPECT_EQ(calls, 1);
}

// Method: change some keys of a random index, then look every offset up in both.
RC_GTEST_PROP(CheckTouched, HoldsEveryOffsetWhoseLookupChanged, ()) {
  constexpr Offset kHigh = 16;
  const auto entry = rc::gen::map(rc::gen::inRange(0, 5), [](int i) {
    return i < 2 ? Entry{} : i < 4 ? Wal(i - 1) : Compacted(3);
  });
  LogIndex before;
  for (Offset key = 1; key <= kHigh; ++key) before.Set(key, *entry);
  LogIndex after = before;
  std::vector<Changes::IndexChange> changes;
  for (const Offset key :
       *rc::gen::container<std::vector<Offset>>(rc::gen::inRange<Offset>(1, 17))) {
    changes.push_back({key, after.At(key)});
    after.Set(key, *entry);
  }
  std::vector<bool> touched(static_cast<std::size_t>(kHigh) + 1);
  const auto none = CheckTouched(after, changes, [&](Offset first, Offset last) {
    for (Offset offset = first; offset <= last; ++offset) {
      touched.at(static_cast<std::size_t>(offset)) = true;
    }
    return std::optional<Violation>();
  });
  RC_ASSERT(!none);
  for (Offset offset = 1; offset <= kHigh; ++offset) {
    const EffectiveEntry was = CeilingLookup(before, offset);
    const EffectiveEntry is = CeilingLookup(after, offset);
    const bool same = was.key == is.key && was.entry == is.entry;
    RC_ASSERT(same || touched.at(static_cast<std::size_t>(offset)));
  }
}

}  // namespace
}  // namespace lockstep::invariants

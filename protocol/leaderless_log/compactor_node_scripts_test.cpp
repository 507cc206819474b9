// Compactors under random scripts: calls lost, late, duplicated, compactors dying and overtaking
// one another in the middle of a call, and appends in between.
//
// At every turn, which is before and after any call, a reader looks at every offset: whatever the
// compactors do to one another, each record ever appended is read with its bytes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "protocol/leaderless_log/compactor_node.h"
#include "protocol/leaderless_log/reader_node.h"
#include "protocol/leaderless_log/scripted_node_api.h"
#include "sim/random/rng.h"

namespace lockstep::protocol::leaderless_log {
namespace {

struct Crash {};

class RandomCompactions {
 public:
  explicit RandomCompactions(std::uint64_t seed) : rng_(seed) {
    policy_.resume = true;
    policy_.chosen_offsets_min = 2;
    policy_.chosen_offsets_max = 5;
  }

  void Go() {
    for (int i = 0; i < 4; ++i) Append();
    for (int i = 0; i < 8; ++i) {
      CompactOnce(0);
      Append();
    }
    // Then nobody disturbs any more: what was begun is finished.
    services_.DeliverLate();
    ScriptedNodeApi api(services_, "last");
    CompactorNode last(api, policy_);
    while (last.CompactOnce() == CompactStatus::kCompacted) ReadEverything();
    EXPECT_LT(static_cast<Offset>(records_.size()) - Cursor() + 1, 2 + kCountMax);
    for (Offset offset = 1; offset < Cursor(); ++offset) {
      const std::string entry = services_.ValueAt(IndexKey(offset));
      EXPECT_FALSE(entry.starts_with("WAL")) << offset;
    }
  }

  [[nodiscard]] std::size_t superseded() const { return superseded_; }
  [[nodiscard]] std::size_t crashed() const { return crashed_; }
  [[nodiscard]] std::size_t compacted() const { return compacted_; }

 private:
  static constexpr std::int64_t kCountMax = 3;
  static constexpr int kDepthMax = 2;

  [[nodiscard]] Offset Cursor() const {
    return ParseDecimal(services_.ValueAt(kCursorKey)).value_or(0);
  }

  void Append() {
    const auto count = static_cast<std::int64_t>(1 + rng_.Below(kCountMax));
    ++appends_;
    services_.Append("w1-" + std::to_string(appends_), appends_, count);
    for (std::int64_t i = 1; i <= count; ++i) records_.push_back(RecordBytes(appends_, i));
  }

  /// A new incarnation tries once. `depth`: how many others it stands in the middle of.
  void CompactOnce(int depth) {
    ScriptedNodeApi api(services_, "c" + std::to_string(++compactors_));
    for (std::size_t call = 1; call <= 24; ++call) {
      if (rng_.Below(4) == 0) api.AtCall(call, DrawTurn(depth));
    }
    CompactorNode compactor(api, policy_);
    try {
      switch (compactor.CompactOnce()) {
        case CompactStatus::kCompacted:
          ++compacted_;
          break;
        case CompactStatus::kSuperseded:
          ++superseded_;
          break;
        case CompactStatus::kNotReady:
        case CompactStatus::kMisaligned:
        case CompactStatus::kStuck:
        case CompactStatus::kComplete:
          break;
      }
    } catch (const Crash&) {
      ++crashed_;
    }
    ReadEverything();
  }

  Turn DrawTurn(int depth) {
    Turn turn;
    // Reading an object does not fail, and this does not look what the call is: no refusals here.
    static constexpr Outcome kDrawn[] = {Outcome::kAnswered, Outcome::kReplyLost, Outcome::kLost,
                                         Outcome::kLate};
    turn.outcome = kDrawn[rng_.Below(static_cast<std::uint32_t>(std::size(kDrawn)))];
    turn.twin = rng_.Below(3) == 0;
    turn.before = [this, depth] { Somebody(depth); };
    turn.after = [this, depth] { Somebody(depth); };
    return turn;
  }

  void Somebody(int depth) {
    ReadEverything();
    switch (rng_.Below(8)) {
      case 0:
        throw Crash{};
      case 1:
        services_.DeliverLate();
        break;
      case 2:
        if (depth < kDepthMax) CompactOnce(depth + 1);
        break;
      case 3:
        Append();
        break;
      default:
        return;
    }
    ReadEverything();
  }

  void ReadEverything() {
    ScriptedNodeApi api(services_, "r1");
    ReaderNode reader(api);
    for (std::size_t i = 0; i < records_.size(); ++i) {
      const ReadResult result = reader.Read(static_cast<Offset>(i) + 1);
      ASSERT_EQ(result.status, ReadStatus::kFound) << "offset " << i + 1;
      ASSERT_EQ(result.bytes, records_[i]) << "offset " << i + 1;
    }
  }

  sim::Rng rng_;
  CompactionPolicy policy_;
  Services services_;
  std::vector<std::string> records_;  // by offset - 1
  std::uint64_t appends_ = 0;
  int compactors_ = 0;
  std::size_t compacted_ = 0;
  std::size_t superseded_ = 0;
  std::size_t crashed_ = 0;
};

TEST(CompactorNodeScripts, EveryRecordIsReadableAtEveryMoment) {
  std::size_t compacted = 0;
  std::size_t superseded = 0;
  std::size_t crashed = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    RandomCompactions run(seed);
    run.Go();
    if (testing::Test::HasFailure()) return;
    compacted += run.compacted();
    superseded += run.superseded();
    crashed += run.crashed();
  }
  // The scripts are worth something only when all of this has happened, and often.
  EXPECT_GT(compacted, 100U);
  EXPECT_GT(superseded, 100U);
  EXPECT_GT(crashed, 100U);
}

}  // namespace
}  // namespace lockstep::protocol::leaderless_log

#include "protocol/task_claiming/task_claiming_module.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "protocol/task_claiming/enumeration_for_tests.h"

namespace lockstep::protocol::task_claiming {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Dialect kUpstream{};
constexpr Dialect kMarkdown{true, false};
constexpr Dialect kLiveExpiry{false, true};
constexpr Dialect kBoth{true, true};

TEST(TaskModule, RejectsAnUnknownDialect) {
  EXPECT_EQ(DialectFromNames({"recover_markdown", "live_expiry"}), std::nullopt);
}

TEST(TaskModule, NamesDialectsBothWays) {
  EXPECT_THAT(DialectNames(kUpstream), IsEmpty());
  EXPECT_THAT(DialectNames(kBoth), ElementsAre("live_session_expiry", "recover_markdown"));
  for (const Dialect& dialect : {kUpstream, kMarkdown, kLiveExpiry, kBoth}) {
    EXPECT_EQ(DialectFromNames(DialectNames(dialect)), dialect);
  }
}

TEST(TaskModule, HasOneModuleForEachCombination) {
  EXPECT_EQ(ModuleName(kUpstream), "TaskClaiming");
  EXPECT_EQ(ModuleName(kMarkdown), "TaskClaimingMarkdownRecover");
  EXPECT_EQ(ModuleName(kLiveExpiry), "TaskClaimingLiveExpiry");
  EXPECT_EQ(ModuleName(kBoth), "TaskClaimingLiveExpiry");
}

TEST(TaskModule, GivesASuffixToWhatADialectChanges) {
  const auto changed = [](const Dialect& dialect) {
    std::vector<std::string_view> names;
    for (const ActionKind kind : ActionKinds()) {
      if (OperatorName(dialect, kind) != Name(kind)) names.push_back(OperatorName(dialect, kind));
    }
    return names;
  };
  EXPECT_THAT(changed(kUpstream), IsEmpty());
  EXPECT_THAT(changed(kMarkdown), ElementsAre("WorkerRecoverMarkdownRecover"));
  EXPECT_THAT(changed(kLiveExpiry),
              ElementsAre("SessionExpiryLiveExpiry", "WorkerRecoverLiveExpiry"));
}

TEST(TaskModule, PromisesNoCrash) {
  for (const ActionKind kind : ActionKinds()) {
    EXPECT_EQ(FairnessOf(kind) == Fairness::kNone, kind == ActionKind::WorkerCrash) << Name(kind);
  }
}

TEST(TaskModule, WritesConstantsByTheirNames) {
  Constants constants = SmallConstants();
  EXPECT_EQ(ConstantsToValue(constants, 7).ToJson(),
            R"({"Workers":{"#set":["w1","w2"]},"Tasks":{"#set":["t1","t2"]},)"
            R"("MaxFailures":2,"MaxLockVersion":7})");
  constants.dialect = kLiveExpiry;
  EXPECT_EQ(ConstantsToValue(constants, 7).Find("MarkdownRecover")->ToTla(), "FALSE");
  constants.dialect = kBoth;
  EXPECT_EQ(ConstantsToValue(constants, 7).Find("MarkdownRecover")->ToTla(), "TRUE");
}

}  // namespace
}  // namespace lockstep::protocol::task_claiming

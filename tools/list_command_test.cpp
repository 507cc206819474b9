#include "tools/list_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tools/fake_catalog.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;

struct Listed {
  ExitCode code;
  std::string out;
  std::string err;
};

Listed List(const std::string& kind, bool json) {
  CapturedConsole captured;
  Options options;
  options.names = {kind};
  options.json = json;
  const ExitCode code = ListCommand(FakeCatalog(), options, captured.console());
  return {code, captured.out(), captured.err()};
}

TEST(ListCommand, RejectsAKindThatIsNone) {
  const Listed listed = List("scenario", true);
  EXPECT_EQ(listed.code, ExitCode::kError);
  EXPECT_EQ(listed.out, "");
  EXPECT_EQ(listed.err,
            "lockstep: list: unknown kind \"scenario\"; accepted: scenarios, properties, actions, "
            "faults, mutants, strategies; did you mean scenarios?\n");
}

TEST(ListCommand, HasTheFieldsThatOthersRelyOn) {
  const auto first = [](const std::string& kind) {
    const nlohmann::json document = nlohmann::json::parse(List(kind, true).out);
    return document.at(kind).at(0);
  };
  const nlohmann::json scenario = first("scenarios");
  EXPECT_EQ(scenario.at("name"), "steady");
  EXPECT_EQ(scenario.at("protocol"), "fake");
  EXPECT_EQ(scenario.at("expectation"), "holds");
  EXPECT_EQ(scenario.at("faults"), (nlohmann::json{"delay", "crash"}));
  EXPECT_EQ(scenario.at("must_reach"), nlohmann::json{"mark"});
  EXPECT_EQ(scenario.at("story"), "A story.\nOn two lines.");
  const nlohmann::json mutant = first("mutants");
  EXPECT_EQ(mutant.at("name"), "tens");
  EXPECT_EQ(mutant.at("source"), "nowhere #1");
  EXPECT_EQ(mutant.at("scenario"), "steady");
  EXPECT_EQ(mutant.at("killer"), "NoTens");
  EXPECT_TRUE(mutant.contains("what"));
  const nlohmann::json fault = first("faults");
  EXPECT_EQ(fault.at("name"), "delay");
  EXPECT_EQ(fault.at("scope"), "within the model");
  EXPECT_TRUE(fault.contains("what"));
  EXPECT_EQ(first("properties").at("kind"), "safety");
  EXPECT_EQ(first("strategies").at("name"), "random");
}

TEST(ListCommand, NamesAnActionOnce) {
  const nlohmann::json actions = nlohmann::json::parse(List("actions", true).out).at("actions");
  ASSERT_EQ(actions.size(), 2U);
  EXPECT_EQ(actions.at(0).at("name"), "Step");
  EXPECT_EQ(actions.at(1).at("name"), "Rest");
}

TEST(ListCommand, SaysTheSameAsText) {
  const Listed listed = List("mutants", false);
  EXPECT_EQ(listed.code, ExitCode::kHolds);
  EXPECT_EQ(listed.out,
            "tens  tens are let through\n"
            "  source       nowhere #1\n"
            "  scenario     steady\n"
            "  killer       NoTens\n"
            "lost  its scenario is gone\n"
            "  source       nowhere #2\n"
            "  scenario     gone\n"
            "  killer       NoTens\n");
  EXPECT_THAT(List("scenarios", false).out,
              HasSubstr("  story        A story.\n               On two lines.\n"));
}

}  // namespace
}  // namespace lockstep::tools

#include "traces/text_exporter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <sstream>

#include "traces/test_support.h"
#include "traces/trace_generators.h"

namespace lockstep::traces {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(ExportText, LeavesOutWhatIsNotAskedFor) {
  TextOptions range;
  range.from = 3;
  range.to = 4;
  const std::string text = ExportText(SampleTrace(), range);
  EXPECT_THAT(text, HasSubstr("WALWriteSuccess(w1)"));
  EXPECT_THAT(text, Not(HasSubstr("WALWriteFail")));
  EXPECT_THAT(text, HasSubstr("\n2 of 12 steps shown\n"));
}

TEST(ExportText, ShowsOnlyTheNamedNodesEventsAndActions) {
  TextOptions only;
  only.only = {"w2"};
  EXPECT_THAT(ExportText(SampleTrace(), only), HasSubstr("\n1 of 12 steps shown\n"));
  only.only = {"fault", "FenceLog", "nobody"};
  const std::string text = ExportText(SampleTrace(), only);
  EXPECT_THAT(text, HasSubstr("reply_lost"));
  EXPECT_THAT(text, HasSubstr("\n2 of 12 steps shown\n"));
}

TEST(ExportText, CutsLongLinesUnlessAskedNotTo) {
  Trace trace = SampleTrace();
  trace.steps[0].event = Record({{"kind", Text(std::string(500, 'k'))}});
  trace.steps[1].changed = Record({{"logState", Text(std::string(500, 'c'))}});
  const std::vector<std::string> lines = Lines(ExportText(trace, {}));
  for (const std::string& line : lines) EXPECT_LE(line.size(), 120U);
  EXPECT_THAT(lines.at(3), ::testing::EndsWith(".."));
  TextOptions wide;
  wide.width = 0;
  EXPECT_THAT(ExportText(trace, wide), HasSubstr(std::string(500, 'c')));
}

TEST(ExportText, IsGolden) {
  EXPECT_EQ(CompareWithGolden({"log_sample.txt", ExportText(SampleTrace(), {})}), std::nullopt);
  EXPECT_EQ(CompareWithGolden({"log_overlapping.txt", ExportText(OverlappingTrace(), {})}),
            std::nullopt);
}

RC_GTEST_PROP(ExportText, IsPrintableWhateverIsInTheTrace, ()) {
  TextOptions options;
  options.width = *rc::gen::element<std::size_t>(0, 1, 2, 40, 120);
  const std::string text = ExportText(*TraceGen(), options);
  RC_ASSERT(std::all_of(text.begin(), text.end(),
                        [](char c) { return c == '\n' || (c >= 0x20 && c < 0x7f); }));
}

}  // namespace
}  // namespace lockstep::traces

#include "traces/read_error.h"

#include <gtest/gtest.h>

namespace lockstep::traces {
namespace {

TEST(Quoted, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(Quoted("a\x1b[31m\n\xc3"), "\"a\\x1b[31m\\x0a\\xc3\"");
}

TEST(Quoted, CutsLongText) {
  EXPECT_EQ(Quoted(std::string(1000, 'a')), "\"" + std::string(80, 'a') + "...\"");
}

TEST(ReadError, NamesFileLineProblemAndWhatIsAccepted) {
  EXPECT_EQ((ReadError{"run.trace", 3, "a float", "integers"}).ToString(),
            "run.trace:3: a float; accepted: integers");
}

TEST(ReadError, LeavesOutWhatThereIsNot) {
  EXPECT_EQ((ReadError{"a\nb", 0, "no such file", ""}).ToString(), "a\\x0ab: no such file");
}

}  // namespace
}  // namespace lockstep::traces

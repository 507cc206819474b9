// The scan is shown an object with every banned symbol (compiled from fixtures/ with the project's
// own compiler) before it is trusted with the layers' libraries.

#include "tools/tidy/symbol_scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

namespace lockstep::tools {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The files of one of the lists that CMake wrote, one path a line.
std::vector<std::string> Listed(const std::string& list) {
  std::ifstream in(std::string(LOCKSTEP_SYMBOL_SCAN_DIR) + "/" + list);
  EXPECT_TRUE(in.good()) << list;
  std::vector<std::string> files;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) files.push_back(line);
  }
  return files;
}

std::vector<std::string> Scan(const std::vector<std::string>& files) {
  std::vector<std::string> findings;
  for (const std::string& file : files) {
    for (std::string& finding : FindBannedSymbols(UndefinedSymbols(LOCKSTEP_NM, file))) {
      findings.push_back(std::move(finding));
    }
  }
  return findings;
}

TEST(FindBannedSymbols, NamesObjectSymbolAndReplacement) {
  EXPECT_THAT(
      FindBannedSymbols("/b/libsim.a:rng.cpp.o:                 U rand\n"
                        "/b/libsim.a:rng.cpp.o:                 U operator new(unsigned long)\n"),
      ElementsAre("libsim.a:rng.cpp.o: rand: is a second source of choice (use Choices, or "
                  "sim/random/rng.h, instead)"));
}

TEST(FindBannedSymbols, SeesWeakSymbolsToo) {
  EXPECT_THAT(FindBannedSymbols("a.o:                 w pthread_create\n"),
              ElementsAre("a.o: pthread_create: runs in no defined order (use fibers instead)"));
}

TEST(FindBannedSymbols, ReportsEachSymbolOfAnObjectOnce) {
  EXPECT_THAT(FindBannedSymbols("a.o: U rand\na.o: U rand\n"), ElementsAre(HasSubstr("rand")));
}

TEST(FindBannedSymbols, AcceptsLongerNames) {
  EXPECT_THAT(FindBannedSymbols("a.o: U timegm\na.o: U strand\na.o: U operand(int)\n"), IsEmpty());
}

TEST(UndefinedSymbols, ThrowsWhenThereIsNoSuchFile) {
  EXPECT_THROW((void)UndefinedSymbols(LOCKSTEP_NM, "no-such-file.o"), std::runtime_error);
}

TEST(SymbolScan, SeesEveryBannedSymbolOfTheFixture) {
  const std::vector<std::string> findings = Scan(Listed("banned.txt"));
  for (const char* symbol :
       {": std::random_device::", ": std::chrono::_V2::steady_clock::now()",
        ": std::chrono::_V2::system_clock::now()", ": std::thread::", ": rand:", ": getenv:",
        ": std::__detail::_Prime_rehash_policy::", ": sin:"}) {
    EXPECT_THAT(findings, Contains(HasSubstr(symbol)));
  }
}

TEST(SymbolScan, AcceptsTheCleanFixture) { EXPECT_THAT(Scan(Listed("clean.txt")), IsEmpty()); }

TEST(SymbolScan, LayersUseNoBannedSymbol) {
  for (const std::string& finding : Scan(Listed("layers.txt"))) ADD_FAILURE() << finding;
}

}  // namespace
}  // namespace lockstep::tools

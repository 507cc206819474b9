// The main function of every test program.
//
// RapidCheck draws its seed from the clock unless told otherwise. A test run is then not
// repeatable, so a fixed seed is set here; RC_PARAMS (for instance "seed=7 max_success=10000")
// overrides it.

#include <gmock/gmock.h>

#include <cstdlib>

int main(int argc, char** argv) {
  constexpr int kKeepTheCallersValue = 0;
  ::setenv("RC_PARAMS", "seed=20250101", kKeepTheCallersValue);
  ::testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}

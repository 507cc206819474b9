// Source files that need no test of their own beside them, each with the reason.

#pragma once

#include <array>
#include <string_view>

namespace lockstep::tools {

struct Exemption {
  std::string_view file;  // A path, or a folder with '/' at its end.
  std::string_view why;
};

inline constexpr std::array kNoTestBeside{
    Exemption{"tools/main.cpp", "only parses, dispatches and exits; the contract test runs it"},
    Exemption{"tools/testing/test_main.cpp", "is the main function of every test"},
    Exemption{"tools/tidy/fixtures/", "is bad on purpose; symbol_scan_test.cpp reads it"},
    Exemption{"tools/tidy/functions.cpp", "tidy_test.cpp tests it through the rule"},
    Exemption{"tools/tidy/source_text.cpp", "tidy_test.cpp tests it through every rule"},
    Exemption{"traces/test_support.cpp", "is part of this layer's tests"},
    Exemption{"tools/benchmarks/", "benchmarks are run, not tested"},
};

}  // namespace lockstep::tools

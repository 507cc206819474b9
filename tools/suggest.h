// "Did you mean": the nearest of the accepted words.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace lockstep::tools {

/// The known word nearest to `word`, or empty when none is near.
std::string_view Nearest(std::string_view word, std::span<const std::string_view> known);

/// `"log_smal"; accepted: log_small, canary; did you mean log_small?`
std::string NotAmong(std::string_view word, std::span<const std::string_view> known);

/// "a, b, c"
std::string Joined(std::span<const std::string_view> words);

}  // namespace lockstep::tools

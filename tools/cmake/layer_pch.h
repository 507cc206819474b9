// Precompiled for every layer: standard headers that most files use, and fmt.
//
// It only saves time. A file still includes what it uses; the target headers_alone compiles each
// header without this one. Headers that the ban list forbids below tools are left out on purpose,
// so that a forbidden name does not compile by accident.

#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

// ConfigReader: a configuration, a JSON object whose keys are a module's constants, read strictly.
//
// Keys may stand in any order. Whatever is not asked for is refused, by name, together with what
// would have been accepted. The first thing wrong is kept and getters return defaults after it, so
// a caller looks at problem() once, at the end.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/value.h"
#include "traces/read_error.h"

namespace lockstep::scenarios {

class ConfigReader {
 public:
  /// `file` is what messages call it.
  ConfigReader(std::string_view text, std::string_view file);
  /// An object inside a configuration; `where` names it in messages: "Ranges[1]".
  ConfigReader(const sim::Value& object, std::string_view file, std::string_view where);

  [[nodiscard]] bool Has(std::string_view key) const { return object_.Find(key) != nullptr; }
  std::int64_t Int(std::string_view key, std::int64_t least, std::int64_t most);
  bool Bool(std::string_view key);
  std::vector<std::string> Strings(std::string_view key);
  std::vector<sim::Value> Objects(std::string_view key);

  /// Refuses any key that is not among these.
  void AcceptOnly(const std::vector<std::string_view>& keys);
  void Fail(std::string problem, std::string accepted);
  /// Keeps another reader's problem.
  void Adopt(const ConfigReader& other);
  [[nodiscard]] const std::optional<traces::ReadError>& problem() const { return problem_; }

 private:
  const sim::Value* Get(std::string_view key, sim::Value::Kind kind, std::string_view wanted);
  [[nodiscard]] std::string Named(std::string_view key) const;

  std::string file_;
  std::string where_;
  sim::Value object_ = sim::Value::RecordOf({});
  std::optional<traces::ReadError> problem_;
};

}  // namespace lockstep::scenarios

// ObjectStore: where record data lives (WAL objects and compacted objects). Whole objects by key;
// strongly consistent; Put overwrites. Failure of a write is a fault and is decided outside.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace lockstep::sim {

enum class ObjectOperation : std::uint8_t { kPutObject, kGetObject, kDeleteObject };
/// "PutObject", "GetObject", "DeleteObject".
std::string_view ObjectOperationName(ObjectOperation operation);

struct ObjectRequest {
  ObjectOperation operation = ObjectOperation::kGetObject;
  std::string key;
  std::string bytes;  ///< kPutObject
};

enum class ObjectStatus : std::uint8_t {
  kOk,
  kNotFound,  ///< kGetObject only; deleting a missing object is ok
  kFailed,    ///< definite: the write did not happen and never will
  kUnknown,   ///< indefinite
};
std::string_view ObjectStatusName(ObjectStatus status);

struct ObjectResponse {
  ObjectStatus status = ObjectStatus::kOk;
  std::string bytes;  ///< kGetObject
  [[nodiscard]] bool ok() const { return status == ObjectStatus::kOk; }
};

class ObjectStore {
 public:
  using Objects = std::map<std::string, std::string, std::less<>>;

  ObjectResponse Handle(const ObjectRequest& request);
  /// The object's bytes, or nullptr.
  [[nodiscard]] const std::string* Find(std::string_view key) const;
  [[nodiscard]] const Objects& objects() const { return objects_; }

 private:
  Objects objects_;
};

}  // namespace lockstep::sim

#include "sim/store/object_store.h"

namespace lockstep::sim {

std::string_view ObjectOperationName(ObjectOperation operation) {
  switch (operation) {
    case ObjectOperation::kPutObject:
      return "PutObject";
    case ObjectOperation::kGetObject:
      return "GetObject";
    case ObjectOperation::kDeleteObject:
      return "DeleteObject";
  }
  return "?";
}

std::string_view ObjectStatusName(ObjectStatus status) {
  switch (status) {
    case ObjectStatus::kOk:
      return "ok";
    case ObjectStatus::kNotFound:
      return "not found";
    case ObjectStatus::kFailed:
      return "failed";
    case ObjectStatus::kUnknown:
      return "unknown";
  }
  return "?";
}

ObjectResponse ObjectStore::Handle(const ObjectRequest& request) {
  switch (request.operation) {
    case ObjectOperation::kPutObject:
      objects_.insert_or_assign(request.key, request.bytes);
      return {};
    case ObjectOperation::kGetObject: {
      const std::string* bytes = Find(request.key);
      if (bytes == nullptr) return {ObjectStatus::kNotFound, {}};
      return {ObjectStatus::kOk, *bytes};
    }
    case ObjectOperation::kDeleteObject:
      objects_.erase(request.key);
      return {};
  }
  return {};
}

const std::string* ObjectStore::Find(std::string_view key) const {
  const auto at = objects_.find(key);
  return at == objects_.end() ? nullptr : &at->second;
}

}  // namespace lockstep::sim

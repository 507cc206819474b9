#include "sim/store/object_store.h"

#include <gtest/gtest.h>

#include <string>

namespace lockstep::sim {
namespace {

ObjectResponse Call(ObjectStore& store, ObjectOperation operation, std::string key,
                    std::string bytes = {}) {
  return store.Handle({operation, std::move(key), std::move(bytes)});
}

TEST(ObjectStore, MissingObjectIsNotFound) {
  ObjectStore store;
  const ObjectResponse response = Call(store, ObjectOperation::kGetObject, "a");
  EXPECT_EQ(response.status, ObjectStatus::kNotFound);
  EXPECT_FALSE(response.ok());
  EXPECT_EQ(store.Find("a"), nullptr);
}

TEST(ObjectStore, ReadsBackWhatWasPut) {
  ObjectStore store;
  const std::string bytes("\0\xff\n", 3);
  EXPECT_TRUE(Call(store, ObjectOperation::kPutObject, "a", bytes).ok());
  EXPECT_EQ(Call(store, ObjectOperation::kGetObject, "a").bytes, bytes);
  ASSERT_NE(store.Find("a"), nullptr);
  EXPECT_EQ(*store.Find("a"), bytes);
  EXPECT_EQ(store.Find("b"), nullptr);
}

TEST(ObjectStore, PutOverwrites) {
  ObjectStore store;
  Call(store, ObjectOperation::kPutObject, "a", "first");
  Call(store, ObjectOperation::kPutObject, "a", "");
  EXPECT_EQ(Call(store, ObjectOperation::kGetObject, "a").bytes, "");
  EXPECT_EQ(store.objects().size(), 1U);
}

TEST(ObjectStore, DeleteIsIdempotent) {
  ObjectStore store;
  Call(store, ObjectOperation::kPutObject, "a", "1");
  Call(store, ObjectOperation::kPutObject, "b", "2");
  EXPECT_TRUE(Call(store, ObjectOperation::kDeleteObject, "a").ok());
  EXPECT_TRUE(Call(store, ObjectOperation::kDeleteObject, "a").ok());
  EXPECT_EQ(store.objects(), (ObjectStore::Objects{{"b", "2"}}));
}

TEST(ObjectStore, NamesOfOperationsAndStatuses) {
  EXPECT_EQ(ObjectOperationName(ObjectOperation::kPutObject), "PutObject");
  EXPECT_EQ(ObjectOperationName(ObjectOperation::kGetObject), "GetObject");
  EXPECT_EQ(ObjectOperationName(ObjectOperation::kDeleteObject), "DeleteObject");
  EXPECT_EQ(ObjectStatusName(ObjectStatus::kOk), "ok");
  EXPECT_EQ(ObjectStatusName(ObjectStatus::kNotFound), "not found");
  EXPECT_EQ(ObjectStatusName(ObjectStatus::kFailed), "failed");
  EXPECT_EQ(ObjectStatusName(ObjectStatus::kUnknown), "unknown");
}

}  // namespace
}  // namespace lockstep::sim

#include "traces/file_io.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>

#include "traces/test_support.h"

namespace lockstep::traces {
namespace {

std::string Content(const std::string& path) {
  const auto bytes = ReadFileBytes(path);
  const auto* error = std::get_if<ReadError>(&bytes);
  return error == nullptr ? std::get<std::string>(bytes) : error->ToString();
}

std::ptrdiff_t FilesIn(const std::string& folder) {
  return std::distance(std::filesystem::directory_iterator(folder), {});
}

TEST(ReadFileBytes, RejectsAMissingFile) {
  const auto bytes = ReadFileBytes("/no/such/file");
  ASSERT_TRUE(std::holds_alternative<ReadError>(bytes));
  EXPECT_EQ(std::get<ReadError>(bytes).ToString(),
            "/no/such/file: No such file or directory; accepted: a readable file");
}

TEST(ReadFileBytes, RejectsAFolder) {
  EXPECT_TRUE(std::holds_alternative<ReadError>(ReadFileBytes("/")));
}

TEST(WriteFileAtomically, SaysWhatIsWrongWithTheFolder) {
  EXPECT_EQ(WriteFileAtomically("/no/such/folder/x", "a"),
            "cannot create \"/no/such/folder/x.partial0\": No such file or directory");
}

TEST(WriteFileAtomically, LeavesNothingBehindWhenItFails) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/taken";
  std::filesystem::create_directories(path + "/inside");
  EXPECT_TRUE(WriteFileAtomically(path, "a"));
  EXPECT_EQ(FilesIn(folder.path()), 1);
}

TEST(WriteFileAtomically, WritesAndReplaces) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/file";
  const std::string big(3'000'000, 'x');
  EXPECT_EQ(WriteFileAtomically(path, big), std::nullopt);
  EXPECT_EQ(Content(path), big);
  EXPECT_EQ(WriteFileAtomically(path, std::string("b\0c", 3)), std::nullopt);
  EXPECT_EQ(Content(path), std::string("b\0c", 3));
  EXPECT_EQ(FilesIn(folder.path()), 1);
}

TEST(WriteFileAtomically, DoesNotTouchWhatAnotherWriterLeft) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/file";
  ASSERT_EQ(WriteFileAtomically(path + ".partial0", "another's"), std::nullopt);
  EXPECT_EQ(WriteFileAtomically(path, "mine"), std::nullopt);
  EXPECT_EQ(Content(path + ".partial0"), "another's");
  EXPECT_EQ(Content(path), "mine");
}

}  // namespace
}  // namespace lockstep::traces

#include "traces/file_io.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

namespace lockstep::traces {
namespace {

constexpr int kTemporaryNames = 1000;

std::string SystemMessage(int error) { return std::generic_category().message(error); }

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { Close(); }
  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool ok() const { return fd_ >= 0; }
  bool Close() {
    const bool closed = fd_ < 0 || ::close(fd_) == 0;
    fd_ = -1;
    return closed;
  }

 private:
  int fd_;
};

// False with errno set.
bool WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ::ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// Creates a file of a name that no one has, beside `path`.
int CreateBeside(const std::string& path, std::string& temporary) {
  for (int i = 0; i < kTemporaryNames; ++i) {
    temporary = path + ".partial" + std::to_string(i);
    const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

}  // namespace

std::variant<std::string, ReadError> ReadFileBytes(const std::string& path) {
  const auto error = [&](std::string problem) {
    return ReadError{path, 0, std::move(problem), "a readable file"};
  };
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.ok()) return error(SystemMessage(errno));
  std::string bytes;
  while (true) {
    constexpr std::size_t kChunk = std::size_t{1} << 20U;
    const std::size_t size = bytes.size();
    bytes.resize(size + kChunk);
    const ::ssize_t got = ::read(file.get(), bytes.data() + size, kChunk);
    const int reason = errno;
    bytes.resize(size + static_cast<std::size_t>(std::max<::ssize_t>(got, 0)));
    if (got == 0) return bytes;
    if (got < 0 && reason != EINTR) return error(SystemMessage(reason));
    if (bytes.size() > kFileBytesMax) {
      return ReadError{path, 0, "the file is too long",
                       "at most " + std::to_string(kFileBytesMax) + " bytes"};
    }
  }
}

std::optional<std::string> WriteFileAtomically(const std::string& path, std::string_view bytes) {
  std::string temporary;
  Descriptor file(CreateBeside(path, temporary));
  if (!file.ok()) return "cannot create " + Quoted(temporary) + ": " + SystemMessage(errno);
  bool done = WriteAll(file.get(), bytes) && ::fsync(file.get()) == 0;
  int reason = done ? 0 : errno;
  if (!file.Close() && done) {
    done = false;
    reason = errno;
  }
  if (done && std::rename(temporary.c_str(), path.c_str()) != 0) {
    done = false;
    reason = errno;
  }
  if (done) return std::nullopt;
  ::unlink(temporary.c_str());
  return "cannot write " + Quoted(path) + ": " + SystemMessage(reason);
}

}  // namespace lockstep::traces

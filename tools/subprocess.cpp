#include "tools/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>

#include "sim/base/check.h"
#include "tools/fake_catalog.h"

namespace lockstep::tools {
namespace {

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

void Redirect(int fd, const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0 || ::dup2(file, fd) < 0) ::_exit(126);
}

}  // namespace

Finished RunProgram(const ProgramRun& run) {
  const TemporaryFolder printed;
  std::vector<std::string> command = run.command;
  std::vector<std::string> environment = {"PATH=/usr/bin:/bin", "HOME=/nonexistent"};
  for (const auto& [name, value] : run.environment) environment.push_back(name + "=" + value);
  const std::string out = run.out_file.empty() ? printed.File("out") : run.out_file;
  std::fflush(nullptr);
  const ::pid_t pid = ::fork();
  LOCKSTEP_CHECK(pid >= 0);
  if (pid == 0) {
    Redirect(STDOUT_FILENO, out);
    Redirect(STDERR_FILENO, printed.File("err"));
    std::signal(SIGPIPE, SIG_DFL);
    if (::chdir(run.folder.c_str()) != 0) ::_exit(126);
    ::execve(command.front().c_str(), Pointers(command).data(), Pointers(environment).data());
    ::_exit(127);
  }
  if (run.interrupt_after_milliseconds > 0) {
    ::poll(nullptr, 0, run.interrupt_after_milliseconds);
    ::kill(pid, SIGINT);
  }
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  Finished finished;
  finished.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  finished.out = printed.Read("out");
  finished.err = printed.Read("err");
  return finished;
}

}  // namespace lockstep::tools

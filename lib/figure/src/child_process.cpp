// SPDX-License-Identifier: BSD-3-Clause
#include "child_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "enfold/base/error.hpp"
#include "fmt/format.h"

extern char** environ;

namespace enfold::figure {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using TemporaryFile = std::unique_ptr<std::FILE, CloseFile>;

// Files rather than pipes for both directions: neither side can block on the other.
TemporaryFile temporary_file() {
  TemporaryFile file(std::tmpfile());
  if (!file) throw IoError(fmt::format("can't make a temporary file: {}", std::strerror(errno)));
  return file;
}

class SpawnActions {
 public:
  SpawnActions() { posix_spawn_file_actions_init(&actions_); }
  ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  void redirect(int from, int to) { posix_spawn_file_actions_adddup2(&actions_, from, to); }
  void discard(int descriptor) {
    posix_spawn_file_actions_addopen(&actions_, descriptor, "/dev/null", O_WRONLY, 0);
  }
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

std::string read_all(std::FILE* file) {
  std::rewind(file);
  std::string text;
  char buffer[4096];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, file)) text.append(buffer, n);
  return text;
}

}  // namespace

ChildResult run_child(const std::vector<std::string>& arguments, const std::string& input) {
  const TemporaryFile in = temporary_file();
  const TemporaryFile err = temporary_file();
  if (std::fwrite(input.data(), 1, input.size(), in.get()) != input.size() || std::fflush(in.get()) != 0) {
    throw IoError(fmt::format("can't write a temporary file: {}", std::strerror(errno)));
  }
  // The child shares the file's offset.
  if (lseek(fileno(in.get()), 0, SEEK_SET) != 0) {
    throw IoError(fmt::format("can't rewind a temporary file: {}", std::strerror(errno)));
  }
  SpawnActions actions;
  actions.redirect(fileno(in.get()), STDIN_FILENO);
  actions.discard(STDOUT_FILENO);
  actions.redirect(fileno(err.get()), STDERR_FILENO);

  std::vector<std::string> copies = arguments;
  std::vector<char*> argv;
  for (std::string& argument : copies) argv.push_back(argument.data());
  argv.push_back(nullptr);
  pid_t pid = 0;
  if (const int error = posix_spawnp(&pid, argv[0], actions.get(), nullptr, argv.data(), environ);
      error != 0) {
    throw IoError(fmt::format("can't start '{}': {}", arguments[0], std::strerror(error)));
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR)
      throw IoError(fmt::format("lost track of '{}': {}", arguments[0], std::strerror(errno)));
  }
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return {code, read_all(err.get())};
}

}  // namespace enfold::figure

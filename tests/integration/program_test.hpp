// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "commands.hpp"

namespace enfold::app {

/// What the program left: exit code, standard output, standard error.
struct Answer {
  int code = -1;
  std::string out, err;
};

/// Runs the command line `enfold words…` in this process.
inline Answer run_program(std::vector<std::string> words) {
  words.insert(words.begin(), "enfold");
  std::vector<const char*> argv;
  for (const std::string& word : words) argv.push_back(word.c_str());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Answer answer;
  answer.code = run_command_line(static_cast<int>(argv.size()), argv.data());
  answer.out = testing::internal::GetCapturedStdout();
  answer.err = testing::internal::GetCapturedStderr();
  return answer;
}

/// A test that works in an empty folder of its own, which is gone afterwards.
class ProgramTest : public testing::Test {
 protected:
  void SetUp() override {
    home_ = std::filesystem::current_path();
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    root_ = std::filesystem::temp_directory_path() /
            fmt::format("enfold-{}-{}-{}", info->test_suite_name(), getpid(), info->name());
    std::filesystem::create_directories(root_);
    std::filesystem::current_path(root_);
  }
  void TearDown() override {
    std::filesystem::current_path(home_);
    std::filesystem::remove_all(root_);
  }

  std::filesystem::path home_, root_;
};

}  // namespace enfold::app

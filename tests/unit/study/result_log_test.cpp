// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/study/result_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>

#include "enfold/io/file.hpp"

namespace enfold::study {
namespace {

namespace fs = std::filesystem;

Record record(std::uint64_t index) {
  return {index,
          static_cast<std::uint32_t>(index % 5),
          index % 3 == 0 ? "" : "the hand can't close: EFC1 …",
          {0.1 * static_cast<double>(index), NAN, -INFINITY},
          {1e-3, 0.5}};
}

class ResultLogTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() / fmt::format("enfold-log-{}-{}", getpid(), info->name());
    fs::create_directories(folder_);
    path_ = folder_ / "results.log";
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// A log of chunks with one record each; returns the file's size after each of them.
  std::vector<std::size_t> write(std::uint64_t count) {
    std::vector<std::size_t> sizes;
    ResultLog log(path_, "abc");
    sizes.push_back(fs::file_size(path_));
    for (std::uint64_t i = 0; i < count; ++i) {
      log.append(std::vector{record(i)});
      sizes.push_back(fs::file_size(path_));
    }
    return sizes;
  }

  [[nodiscard]] std::vector<std::uint64_t> indices() const {
    const ResultLog log(path_, "abc");
    std::vector<std::uint64_t> out;
    for (const Record& one : log.found()) out.push_back(one.index);
    return out;
  }

  fs::path folder_, path_;
};

TEST_F(ResultLogTest, GivesBackEveryRecordBitForBit) {
  write(20);
  const ResultLog log(path_, "abc");
  ASSERT_EQ(log.found().size(), 20U);
  EXPECT_EQ(log.damaged_bytes(), 0U);
  for (std::uint64_t i = 0; i < 20; ++i) EXPECT_EQ(to_bytes(log.found()[i]), to_bytes(record(i)));
}

TEST_F(ResultLogTest, AppendsWhereItStopped) {
  write(3);
  {
    ResultLog log(path_, "abc");
    log.append(std::vector{record(3), record(4)});
  }
  EXPECT_THAT(indices(), testing::ElementsAre(0, 1, 2, 3, 4));
}

// A process that is killed can leave any number of bytes: all whole chunks survive, and the log goes on.
TEST_F(ResultLogTest, SurvivesACutAtEveryByte) {
  const std::vector<std::size_t> sizes = write(4);
  const std::string bytes = io::read_file(path_);
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    io::write_file(path_, bytes.substr(0, cut));
    std::size_t whole = 0;
    while (whole + 1 < sizes.size() && sizes[whole + 1] <= cut) ++whole;
    {
      ResultLog log(path_, "abc");
      ASSERT_EQ(log.found().size(), whole) << "cut at " << cut;
      log.append(std::vector{record(99)});
    }
    ASSERT_EQ(indices().size(), whole + 1) << "cut at " << cut;
    ASSERT_EQ(indices().back(), 99U);
  }
}

// One wrong bit costs the chunk that holds it and no other.
TEST_F(ResultLogTest, ADamagedByteCostsItsChunkOnly) {
  const std::vector<std::size_t> sizes = write(5);
  const std::string bytes = io::read_file(path_);
  for (std::size_t at = sizes.front(); at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    io::write_file(path_, damaged);
    std::size_t hit = 0;
    while (sizes[hit + 1] <= at) ++hit;
    const ResultLog log(path_, "abc");
    ASSERT_EQ(log.found().size(), 4U) << "byte " << at;
    EXPECT_GT(log.damaged_bytes(), 0U);
    for (const Record& one : log.found()) EXPECT_NE(one.index, hit);
  }
}

TEST_F(ResultLogTest, AnotherStudysLogAndForeignFilesAreLeftAlone) {
  write(2);
  const std::string bytes = io::read_file(path_);
  EXPECT_THROW(ResultLog(path_, "abd"), OtherStudy);
  EXPECT_EQ(io::read_file(path_), bytes);
  io::write_file(path_, "time_s,x\n0,1\n");
  EXPECT_THROW(ResultLog(path_, "abc"), IoError);
  EXPECT_THROW(ResultLog::remove(path_), IoError);
  EXPECT_EQ(io::read_file(path_), "time_s,x\n0,1\n");
}

TEST_F(ResultLogTest, OnlyOneProcessAtATime) {
  const ResultLog first(path_, "abc");
  try {
    const ResultLog second(path_, "abc");
    ADD_FAILURE() << "opened twice";
  } catch (const IoError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("another process is working on this study"));
  }
}

TEST_F(ResultLogTest, FullDiskLosesNothingThatWasWritten) {
  struct rlimit before {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  std::size_t written = 0;
  {
    ResultLog log(path_, "abc");
    struct rlimit small = before;
    small.rlim_cur = 1000;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    std::string message;
    try {
      for (std::uint64_t i = 0; i < 1000; ++i) {
        log.append(std::vector{record(i)});
        ++written;
      }
    } catch (const IoError& error) {
      message = error.what();
    }
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_THAT(message, testing::HasSubstr("File too large"));
    EXPECT_GT(written, 3U);
    log.append(std::vector{record(written)});  // there is room again
  }
  EXPECT_EQ(indices().size(), written + 1);
}

TEST_F(ResultLogTest, SaysWhyAFileCantBeMade) {
  try {
    const ResultLog log(folder_ / "missing" / "results.log", "abc");
    ADD_FAILURE();
  } catch (const IoError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("No such file or directory"));
  }
}

}  // namespace
}  // namespace enfold::study

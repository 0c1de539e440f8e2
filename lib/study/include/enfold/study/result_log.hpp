// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "enfold/base/error.hpp"
#include "enfold/study/record.hpp"

namespace enfold::study {

/// The log belongs to another study.
class OtherStudy : public IoError {
 public:
  using IoError::IoError;
};

/// The results of a study on disk. Records are appended in chunks,
///
///     "EFC1"   length (u32)   CRC-32 of the payload (u32)   payload: records
///
/// after a first line that names the study. What a killed process, a crashed machine or a full disk leaves
/// behind is read up to the damage and beyond it: a chunk whose checksum is wrong is dropped, the next one is
/// looked for byte by byte, and a torn end is cut off. One process at a time has the log open.
class ResultLog {
 public:
  /// Opens the log, or makes it. `study` is 16 or fewer characters without spaces; a log of another study
  /// throws OtherStudy. Throws IoError if the file can't be read or written,
  /// or another process has it open.
  ResultLog(std::filesystem::path path, std::string study);
  ~ResultLog();
  ResultLog(const ResultLog&) = delete;
  ResultLog& operator=(const ResultLog&) = delete;

  /// What was there when the log was opened, in the order of the file.
  [[nodiscard]] const std::vector<Record>& found() const { return found_; }
  /// Bytes that were damaged then.
  [[nodiscard]] std::size_t damaged_bytes() const { return damaged_bytes_; }

  /// Writes one chunk to the system, whole or not at all; about once a second to the disk. Throws IoError
  /// with the system's reason.
  void append(std::span<const Record> records);
  /// Deletes a log, of whichever study. Throws IoError if the file is none, or can't be deleted.
  static void remove(const std::filesystem::path& path);
  /// Waits until the disk has everything: a machine that loses power keeps it, too.
  void sync();

 private:
  void lock();
  void recover();
  void truncate(std::size_t size) const;
  void write(std::string_view bytes);

  std::filesystem::path path_;
  std::string header_;
  int file_ = -1;
  std::size_t size_ = 0;  // of what is known to be good
  std::vector<Record> found_;
  std::size_t damaged_bytes_ = 0;
  std::chrono::steady_clock::time_point synced_;
};

}  // namespace enfold::study

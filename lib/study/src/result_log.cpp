// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/study/result_log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/crc.hpp>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "enfold/base/require.hpp"
#include "enfold/io/file.hpp"

namespace enfold::study {
namespace {

constexpr std::string_view kMark = "EFC1";
constexpr std::size_t kChunkHeader = 12;
constexpr std::string_view kTitle = "enfold study results 1 ";

std::uint32_t checksum(std::string_view bytes) {
  boost::crc_32_type crc;
  crc.process_bytes(bytes.data(), bytes.size());
  return crc.checksum();
}

std::string chunk_of(std::string_view payload) {
  const auto length = static_cast<std::uint32_t>(payload.size());
  const std::uint32_t crc = checksum(payload);
  char numbers[8];
  std::memcpy(numbers, &length, 4);
  std::memcpy(numbers + 4, &crc, 4);
  std::string chunk(kMark);
  chunk.append(numbers, 8);
  chunk += payload;
  return chunk;
}

/// The records of the chunk at the start of `bytes`; its length, or 0 if there is no sound chunk.
std::size_t read_chunk(std::string_view bytes, std::vector<Record>& records) {
  if (bytes.size() < kChunkHeader || !bytes.starts_with(kMark)) return 0;
  std::uint32_t length = 0;
  std::uint32_t crc = 0;
  std::memcpy(&length, bytes.data() + 4, 4);
  std::memcpy(&crc, bytes.data() + 8, 4);
  if (bytes.size() - kChunkHeader < length) return 0;
  std::string_view payload = bytes.substr(kChunkHeader, length);
  if (checksum(payload) != crc) return 0;
  const std::size_t before = records.size();
  try {
    while (!payload.empty()) records.push_back(take_record(payload));
  } catch (const IoError&) {
    records.resize(before);
    return 0;
  }
  return kChunkHeader + length;
}

std::string not_a_log(const std::filesystem::path& path) {
  return fmt::format("'{}' is no log of study results; it is left alone", path.string());
}

std::string reason(int error) {
  return std::error_code(error, std::generic_category()).message();
}

}  // namespace

ResultLog::ResultLog(std::filesystem::path path, std::string study)
    : path_{std::move(path)}, header_{fmt::format("{}{}\n", kTitle, study)} {
  ENFOLD_REQUIRE(!study.empty() && study.size() <= 16 && study.find_first_of(" \n") == std::string::npos,
                 "a study is named by 1 to 16 characters without spaces, found '{}'", study);
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) throw IoError(fmt::format("can't write '{}': {}", path_.string(), reason(errno)));
  try {
    lock();
    recover();
  } catch (...) {
    ::close(file_);
    throw;
  }
  synced_ = std::chrono::steady_clock::now();
}

ResultLog::~ResultLog() {
  ::close(file_);
}

void ResultLog::lock() {
  if (::flock(file_, LOCK_EX | LOCK_NB) == 0) return;
  if (errno == EWOULDBLOCK)
    throw IoError(fmt::format("'{}' is in use: another process is working on this study", path_.string()));
  // A file system without locks: go on.
}

void ResultLog::recover() {
  std::string bytes;
  char buffer[65536];
  for (;;) {
    const ssize_t got = ::read(file_, buffer, sizeof buffer);
    if (got < 0) throw IoError(fmt::format("can't read '{}': {}", path_.string(), reason(errno)));
    if (got == 0) break;
    bytes.append(buffer, static_cast<std::size_t>(got));
  }
  const std::size_t title = std::min(bytes.size(), kTitle.size());
  if (bytes.compare(0, title, kTitle.substr(0, title)) != 0) throw IoError(not_a_log(path_));
  // A process that was killed while it made the file leaves a part of the first line, and nothing else.
  if (bytes.find('\n') == std::string::npos) {
    truncate(0);
    write(header_);
    return;
  }
  if (!bytes.starts_with(header_))
    throw OtherStudy(fmt::format("'{}' holds the results of another study", path_.string()));
  std::size_t at = header_.size();
  std::size_t sound_end = at;
  while (at < bytes.size()) {
    const std::string_view rest = std::string_view(bytes).substr(at);
    if (const std::size_t length = read_chunk(rest, found_); length > 0) {
      at += length;
      sound_end = at;
      continue;
    }
    const std::size_t next = rest.find(kMark, 1);
    const std::size_t skipped = next == std::string_view::npos ? rest.size() : next;
    damaged_bytes_ += skipped;
    at += skipped;
  }
  // Damage before a sound chunk stays where it is, and is skipped again next time; a torn end goes.
  if (sound_end < bytes.size()) truncate(sound_end);
  size_ = sound_end;
}

void ResultLog::truncate(std::size_t size) const {
  if (::ftruncate(file_, static_cast<off_t>(size)) != 0)
    throw IoError(fmt::format("can't write '{}': {}", path_.string(), reason(errno)));
}

void ResultLog::write(std::string_view bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t put =
        ::pwrite(file_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(size_ + done));
    if (put > 0) {
      done += static_cast<std::size_t>(put);
      continue;
    }
    if (put < 0 && errno == EINTR) continue;
    const int error = errno;
    // Half a chunk is of no use, and without it the disk may have room for the message that tells so.
    (void)!::ftruncate(file_, static_cast<off_t>(size_));
    throw IoError(fmt::format("can't write '{}': {}", path_.string(), reason(error)));
  }
  size_ += bytes.size();
}

void ResultLog::append(std::span<const Record> records) {
  std::string payload;
  for (const Record& record : records) payload += to_bytes(record);
  write(chunk_of(payload));
  const auto now = std::chrono::steady_clock::now();
  if (now - synced_ < std::chrono::seconds(1)) return;
  sync();
}

void ResultLog::remove(const std::filesystem::path& path) {
  const std::string bytes = io::read_file(path);
  const std::size_t title = std::min(bytes.size(), kTitle.size());
  if (bytes.compare(0, title, kTitle.substr(0, title)) != 0) throw IoError(not_a_log(path));
  std::error_code error;
  if (!std::filesystem::remove(path, error))
    throw IoError(fmt::format("can't remove '{}': {}", path.string(), error.message()));
}

void ResultLog::sync() {
  synced_ = std::chrono::steady_clock::now();
  if (::fdatasync(file_) != 0 && errno != EINVAL && errno != EROFS)
    throw IoError(fmt::format("can't write '{}': {}", path_.string(), reason(errno)));
}

}  // namespace enfold::study

// SPDX-License-Identifier: BSD-3-Clause
// The C interface alone: the C++ one was withdrawn from the standard.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "enfold/base/error.hpp"
#include "sweep_one_rank.hpp"

namespace enfold::app {
namespace {

// What a message means.
constexpr int kAsk = 1;     // to rank 0: more samples, please
constexpr int kGive = 2;    // from rank 0: their indices; none: there are no more
constexpr int kResult = 3;  // to rank 0: a record
constexpr int kDone = 4;    // to rank 0: nothing more will come; the text of an error, or empty

constexpr std::uint64_t kMostAtOnce = 16;
// Waiting by looking again and again would take a core from those who work.
constexpr auto kPause = std::chrono::microseconds(200);

class MpiRanks final : public Ranks {
 public:
  MpiRanks() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm near = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &near);
    MPI_Comm_size(near, &near_size_);
    MPI_Comm_free(&near);
    if (provided < MPI_THREAD_SERIALIZED) {
      MPI_Finalize();
      throw IoError("this MPI library does not let threads send in turn (MPI_THREAD_SERIALIZED)");
    }
  }
  ~MpiRanks() override { MPI_Finalize(); }
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  [[nodiscard]] int on_this_machine() const override { return near_size_; }

  int first_trouble(bool fine) override {
    const int mine = fine ? size_ : rank_;
    int first = size_;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return first == size_ ? -1 : first;
  }

  std::string from_first(const std::string& text) override {
    std::string out = text;
    auto length = static_cast<unsigned long>(out.size());
    MPI_Bcast(&length, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);
    out.resize(length);
    MPI_Bcast(out.data(), static_cast<int>(length), MPI_CHAR, 0, MPI_COMM_WORLD);
    return out;
  }

  void run(int threads, const SweepWork& work) override {
    rank_ == 0 ? run_first(threads, work) : run_other(threads, work);
  }

 private:
  struct Message {
    int from = -1, tag = 0;
    std::string bytes;
  };

  /// A message if one has come. One thread at a time may be in here or in send().
  static std::optional<Message> receive() {
    int arrived = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &arrived, &status);
    if (arrived == 0) return std::nullopt;
    int length = 0;
    MPI_Get_count(&status, MPI_BYTE, &length);
    Message message{status.MPI_SOURCE, status.MPI_TAG, std::string(static_cast<std::size_t>(length), '\0')};
    MPI_Recv(message.bytes.data(), length, MPI_BYTE, message.from, message.tag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    return message;
  }

  static void send(int to, int tag, const void* data, std::size_t size) {
    MPI_Send(data, static_cast<int>(size), MPI_BYTE, to, tag, MPI_COMM_WORLD);
  }

  /// Rank 0: its main thread is the only one that talks; its workers take and give under a lock.
  void run_first(int threads, const SweepWork& work) {
    std::mutex lock;
    std::exception_ptr trouble;
    bool over = false;
    const auto next = [&]() -> std::optional<std::uint64_t> {
      const std::scoped_lock hold(lock);
      if (trouble || over) return std::nullopt;
      try {
        std::optional<std::uint64_t> index = work.next();
        over = !index;
        return index;
      } catch (...) {
        trouble = std::current_exception();
        return std::nullopt;
      }
    };
    const auto finish = [&](study::Record record) {
      const std::scoped_lock hold(lock);
      if (trouble) return;
      try {
        work.finish(std::move(record));
      } catch (...) {
        trouble = std::current_exception();
      }
    };
    std::thread own([&] {
      try {
        run_on_threads(threads, {next, work.evaluate, finish});
      } catch (...) {
        const std::scoped_lock hold(lock);
        if (!trouble) trouble = std::current_exception();
      }
    });
    std::uint64_t at_once = 1;  // small first, so that all have something to do soon
    int asked = 0;
    for (int left = size_ - 1; left > 0;) {
      std::optional<Message> message = receive();
      if (!message) {
        std::this_thread::sleep_for(kPause);
        continue;
      }
      if (message->tag == kAsk) {
        if (++asked % (4 * size_) == 0) at_once = std::min(kMostAtOnce, 2 * at_once);
        std::vector<std::uint64_t> some;
        while (some.size() < at_once) {
          const std::optional<std::uint64_t> index = next();
          if (!index) break;
          some.push_back(*index);
        }
        send(message->from, kGive, some.data(), some.size() * sizeof(std::uint64_t));
      } else if (message->tag == kResult) {
        std::string_view bytes(message->bytes);
        finish(study::take_record(bytes));
      } else if (message->tag == kDone) {
        --left;
        const std::scoped_lock hold(lock);
        if (!message->bytes.empty() && !trouble)
          trouble = std::make_exception_ptr(
              IoError("rank " + std::to_string(message->from) + ": " + message->bytes));
      }
    }
    own.join();
    if (trouble) std::rethrow_exception(trouble);
  }

  void run_other(int threads, const SweepWork& work) {
    std::mutex lock;
    std::deque<std::uint64_t> mine;
    const auto next = [&]() -> std::optional<std::uint64_t> {
      if (mine.empty()) {
        {
          const std::scoped_lock hold(lock);
          send(0, kAsk, nullptr, 0);
        }
        for (;;) {
          std::optional<Message> message;
          {
            const std::scoped_lock hold(lock);
            message = receive();
          }
          if (!message) {
            std::this_thread::sleep_for(kPause);
            continue;
          }
          const auto* const first = message->bytes.data();
          for (std::size_t at = 0; at < message->bytes.size(); at += sizeof(std::uint64_t)) {
            std::uint64_t index = 0;
            std::copy_n(first + at, sizeof index, reinterpret_cast<char*>(&index));
            mine.push_back(index);
          }
          break;
        }
      }
      if (mine.empty()) return std::nullopt;
      const std::uint64_t index = mine.front();
      mine.pop_front();
      return index;
    };
    const auto finish = [&](const study::Record& record) {
      const std::string bytes = study::to_bytes(record);
      const std::scoped_lock hold(lock);
      send(0, kResult, bytes.data(), bytes.size());
    };
    std::string trouble;
    try {
      run_on_threads(threads, {next, work.evaluate, finish});
    } catch (const std::exception& error) {
      trouble = error.what();
      if (trouble.empty()) trouble = "an error without a message";
    }
    send(0, kDone, trouble.data(), trouble.size());
  }

  int rank_ = 0, size_ = 1, near_size_ = 1;
};

}  // namespace

std::unique_ptr<Ranks> join_ranks() {
  // What the launchers of Open MPI, MPICH and Slurm tell those whom they start. Without any of them MPI is
  // not touched: its start takes longer than many a study.
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"})
    if (std::getenv(name) != nullptr) return std::make_unique<MpiRanks>();
  return std::make_unique<OneRank>();
}

std::string ranks_library() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string all(text, static_cast<std::size_t>(length));
  return all.substr(0, all.find_first_of(",\n"));
}

}  // namespace enfold::app

// SPDX-License-Identifier: BSD-3-Clause
#include "sweep_workers.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <utility>

namespace enfold::app {

namespace tbb = oneapi::tbb;

int available_cores() {
  return std::max(1, tbb::info::default_concurrency());
}

void run_on_threads(int threads, const SweepWork& work) {
  const auto count = static_cast<std::size_t>(std::max(1, threads));
  // More threads than cores only if somebody asks for them.
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, count);
  tbb::task_arena arena(static_cast<int>(count));
  arena.execute([&] {
    tbb::parallel_pipeline(
        count,  // one sample in flight for each thread: a killed run loses no more than these
        tbb::make_filter<void, std::uint64_t>(tbb::filter_mode::serial_in_order,
                                              [&](tbb::flow_control& flow) -> std::uint64_t {
                                                const std::optional<std::uint64_t> index = work.next();
                                                if (!index) flow.stop();
                                                return index.value_or(0);
                                              }) &
            tbb::make_filter<std::uint64_t, study::Record>(
                tbb::filter_mode::parallel, [&](std::uint64_t index) { return work.evaluate(index); }) &
            tbb::make_filter<study::Record, void>(
                tbb::filter_mode::serial_out_of_order,
                [&](study::Record record) { work.finish(std::move(record)); }));
  });
}

}  // namespace enfold::app

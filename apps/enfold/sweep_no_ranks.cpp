// SPDX-License-Identifier: BSD-3-Clause
// The program without MPI.
#include <cstdlib>

#include "enfold/base/error.hpp"
#include "sweep_one_rank.hpp"

namespace enfold::app {

std::unique_ptr<Ranks> join_ranks() {
  // Every rank would do the whole study, into the same folder.
  const char* const size = std::getenv("OMPI_COMM_WORLD_SIZE");
  if (size != nullptr && std::string(size) != "1")
    throw IoError(
        "this enfold was built without MPI: start it without mpirun, or build it where MPI is found");
  return std::make_unique<OneRank>();
}

std::string ranks_library() {
  return {};
}

}  // namespace enfold::app

// SPDX-License-Identifier: BSD-3-Clause
#include "convex_hull.hpp"

#include <Eigen/SVD>
#include <cstdio>
#include <cstdlib>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace enfold::closure {
namespace {

bool is_flat(const MatrixXd& points) {
  if (points.cols() <= points.rows()) return true;
  const MatrixXd centred = points.colwise() - points.rowwise().mean();
  const Eigen::JacobiSVD<MatrixXd> svd(centred);
  const auto& sigma = svd.singularValues();
  return !(sigma[points.rows() - 1] > 1e-10 * sigma[0]);
}

// What Qhull says goes to memory; it refuses to run without a stream.
class Messages {
 public:
  Messages() : stream_{open_memstream(&text_, &size_)} {}
  ~Messages() {
    if (stream_ != nullptr) std::fclose(stream_);
    std::free(text_);  // NOLINT: open_memstream allocates with malloc
  }
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;
  [[nodiscard]] FILE* stream() const { return stream_; }
  [[nodiscard]] std::string text() const {
    std::fflush(stream_);
    return {text_, size_};
  }

 private:
  char* text_ = nullptr;
  std::size_t size_ = 0;
  FILE* stream_;
};

}  // namespace

Hull convex_hull(const MatrixXd& points) {
  Hull out;
  if (is_flat(points)) return out;
  out.status = HullStatus::kFailed;
  const Messages messages;
  if (messages.stream() == nullptr) {
    out.message = "no memory for Qhull's messages";
    return out;
  }
  MatrixXd copy = points;
  qhT state;
  qhT* qh = &state;
  qh_zero(qh, messages.stream());
  char command[] = "qhull Pp";
  const int exit_code = qh_new_qhull(qh, static_cast<int>(copy.rows()), static_cast<int>(copy.cols()),
                                     copy.data(), False, command, messages.stream(), messages.stream());
  if (exit_code == 0) {
    qh_getarea(qh, qh->facet_list);
    out.status = HullStatus::kBuilt;
    out.volume = qh->totvol;
    out.normals.resize(copy.rows(), qh->num_facets);
    out.offsets.resize(qh->num_facets);
    Index count = 0;
    facetT* facet = nullptr;
    FORALLfacets {
      out.normals.col(count) = Eigen::Map<const VectorXd>(facet->normal, copy.rows());
      out.offsets[count++] = -facet->offset;
    }
    out.normals.conservativeResize(Eigen::NoChange, count);
    out.offsets.conservativeResize(count);
  } else {
    out.message = messages.text();
  }
  int long_blocks = 0;
  int long_bytes = 0;
  qh_freeqhull(qh, !qh_ALL);
  qh_memfreeshort(qh, &long_blocks, &long_bytes);
  return out;
}

}  // namespace enfold::closure

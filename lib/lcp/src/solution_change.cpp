// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/lcp/solution_change.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <bit>
#include <cmath>

#include "cone_distance.hpp"
#include "enfold/base/counter_random.hpp"
#include "enfold/base/require.hpp"
#include "enfold/lcp/enumeration.hpp"
#include "enfold/lcp/p_matrix.hpp"
#include "minor_signs.hpp"

namespace enfold::lcp {

namespace {

using detail::MinorSign;
using detail::MinorTable;

constexpr Index kLargestLimit = 12;
constexpr std::uint64_t kSeed = 2001;  // directions in which a boundary is looked at; any will do
constexpr double kSameRay = 1e-12;     // rays of a structured matrix agree to rounding

// A set of b on which the number of solutions may change.
struct Candidate {
  std::uint32_t S = 0;
  Index i = -1;  // of the facet; −1: the whole, flat cone
  bool hidden = false;
  detail::ConeProjection nearest;
};

class Search {
 public:
  Search(const LcpProblem& problem, const SolutionChangeOptions& options) : n_{problem.size()} {
    // The number of solutions doesn't depend on positive factors of A and b; tolerances do.
    const double A_size = n_ > 0 ? problem.A.cwiseAbs().maxCoeff() : 0.0;
    const double b_size = n_ > 0 ? problem.b.cwiseAbs().maxCoeff() : 0.0;
    b_scale_ = b_size > 0.0 ? b_size : 1.0;
    A_ = A_size > 0.0 ? MatrixXd(problem.A / A_size) : problem.A;
    b_ = problem.b / b_scale_;
    enumeration_.limit = options.limit;
    minors_ = detail::minor_table(problem.A);
  }

  SolutionChange run() {
    const EnumerationResult here = enumerate_solutions({A_, b_}, enumeration_);
    out_.count_before = here.count();
    if (here.status == EnumerationStatus::kUndecided) return finish(ChangeStatus::kUndecided);
    collect();
    bool overlapped = false;
    for (const Candidate& candidate : candidates_) {
      const double distance = candidate.nearest.distance;
      if (!overlapped) out_.lower_bound = b_scale_ * distance;
      if (candidate.hidden) return finish(ChangeStatus::kUndecided);
      if (changes(candidate)) {
        describe(candidate);
        return finish(overlapped ? ChangeStatus::kBetween : ChangeStatus::kFound);
      }
      if (!cancels(candidate)) overlapped = true;
    }
    if (overlapped) return finish(ChangeStatus::kUndecided);
    out_.lower_bound = std::numeric_limits<double>::infinity();
    return finish(ChangeStatus::kNever);
  }

 private:
  [[nodiscard]] VectorXd column(std::uint32_t S, Index j) const {
    return (S >> j & 1U) != 0 ? VectorXd(-A_.col(j)) : VectorXd(VectorXd::Unit(n_, j));
  }

  // The columns of C_S but the i-th; all of them for i = −1.
  [[nodiscard]] MatrixXd generators(std::uint32_t S, Index i) const {
    MatrixXd C(n_, i < 0 ? n_ : n_ - 1);
    Index k = 0;
    for (Index j = 0; j < n_; ++j) {
      if (j != i) C.col(k++) = column(S, j);
    }
    return C;
  }

  void collect() {
    const std::uint32_t count = 1U << n_;
    for (std::uint32_t S = 0; S < count; ++S) {
      const MinorSign sign = minors_.signs[S];
      if (sign == MinorSign::kZero || sign == MinorSign::kHidden) {
        add(S, -1, sign == MinorSign::kHidden);
        continue;
      }
      for (Index i = 0; i < n_; ++i) {
        if ((S >> i & 1U) != 0) continue;
        const MinorSign other = minors_.signs[S | 1U << i];
        // A flat neighbour is a candidate of its own, and holds this facet.
        if (other == MinorSign::kZero || other == MinorSign::kHidden || other == sign) continue;
        add(S, i, false);
      }
    }
    std::stable_sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
      return a.nearest.distance < b.nearest.distance;
    });
  }

  void add(std::uint32_t S, Index i, bool hidden) {
    candidates_.push_back({S, i, hidden, detail::project_on_cone(generators(S, i), b_)});
  }

  bool beyond(const VectorXd& point) {
    const EnumerationResult all = enumerate_solutions({A_, point}, enumeration_);
    if (all.status != EnumerationStatus::kExact || all.count() == out_.count_before) return false;
    out_.count_after = all.count();
    out_.b_beyond = b_scale_ * point;
    return true;
  }

  // Whether points next to the candidate's nearest point have another number of solutions.
  bool changes(const Candidate& candidate) {
    const MatrixXd C = generators(candidate.S, candidate.i);
    if (candidate.i < 0) {
      // All weights > 0 and dependent columns: infinitely many ways to write the point.
      out_.b_beyond = b_scale_ * (candidate.nearest.point + 1e-6 * C.rowwise().sum());
      out_.count_after.reset();
      return true;
    }
    if (beyond_in_line(candidate)) return true;
    const Eigen::HouseholderQR<MatrixXd> qr(C);
    const MatrixXd Q = qr.householderQ();
    const VectorXd normal = Q.col(n_ - 1);
    const CounterRandom random(kSeed, candidate.S);
    std::uint64_t draw = 0;
    for (const double reach : {1e-5, 1e-4, 1e-3}) {
      for (int trial = 0; trial < 4; ++trial) {
        VectorXd weights(n_ - 1);
        for (double& w : weights) w = 0.1 + random.uniform(draw++);
        const VectorXd inside = candidate.nearest.point + reach * (C * weights);
        for (const double side : {1.0, -1.0}) {
          if (beyond(inside + side * 1e-2 * reach * normal)) return true;
        }
      }
    }
    return false;
  }

  bool beyond_in_line(const Candidate& candidate) {
    const double distance = candidate.nearest.distance;
    if (distance <= 1e-9) return false;
    const VectorXd direction = (candidate.nearest.point - b_) / distance;
    for (const double reach : {1e-6, 1e-4}) {
      if (beyond(candidate.nearest.point + reach * direction)) return true;
    }
    return false;
  }

  // Whether the folds on the very same facet add up to nothing: as many cones on its one side as on the
  // other.
  bool cancels(const Candidate& candidate) {
    const MatrixXd C = generators(candidate.S, candidate.i);
    const Eigen::HouseholderQR<MatrixXd> qr(C);
    const MatrixXd Q = qr.householderQ();
    const VectorXd normal = Q.col(n_ - 1);
    int net = 0;
    for (const Candidate& other : candidates_) {
      if (other.i < 0 || !same_cone(C, generators(other.S, other.i))) continue;
      net += normal.dot(column(other.S, other.i)) > 0.0 ? 1 : -1;
    }
    return net == 0;
  }

  [[nodiscard]] static bool same_cone(const MatrixXd& C, const MatrixXd& D) {
    for (Index j = 0; j < C.cols(); ++j) {
      const auto parallel = [&](const auto& d) {
        return (C.col(j).normalized() - d.normalized()).cwiseAbs().maxCoeff() <= kSameRay;
      };
      bool found = false;
      for (Index k = 0; k < D.cols() && !found; ++k) found = parallel(D.col(k));
      if (!found) return false;
    }
    return true;
  }

  void describe(const Candidate& candidate) {
    out_.kind = candidate.i < 0 ? ChangeKind::kContinuum : ChangeKind::kFold;
    out_.distance = b_scale_ * candidate.nearest.distance;
    out_.b_changed = b_scale_ * candidate.nearest.point;
    out_.active = index_set(candidate.S);
    out_.index = candidate.i;
  }

  SolutionChange finish(ChangeStatus status) {
    out_.status = status;
    return std::move(out_);
  }

  Index n_;
  double b_scale_ = 1.0;
  MatrixXd A_;
  VectorXd b_;
  EnumerationOptions enumeration_;
  MinorTable minors_;
  std::vector<Candidate> candidates_;
  SolutionChange out_;
};

}  // namespace

SolutionChange nearest_solution_change(const LcpProblem& problem, const SolutionChangeOptions& options) {
  validate(problem);
  ENFOLD_REQUIRE(options.limit >= 0 && options.limit <= kLargestLimit,
                 "nearest_solution_change: limit is {}, expected 0 … {}", options.limit, kLargestLimit);
  if (problem.size() > options.limit) {
    SolutionChange out;
    // A P-matrix has one solution for every b; a definite symmetric part proves it at any n.
    const bool P = PMatrixTester(problem.size()).decide(problem.A).status == PMatrixStatus::kP;
    out.status = P ? ChangeStatus::kNever : ChangeStatus::kTooLarge;
    return out;
  }
  return Search(problem, options).run();
}

}  // namespace enfold::lcp

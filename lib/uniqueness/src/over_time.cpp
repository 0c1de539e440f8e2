// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/uniqueness/over_time.hpp"

#include <algorithm>
#include <array>

#include "enfold/base/require.hpp"
#include "enfold/lcp/p_matrix.hpp"
#include "enfold/uniqueness/certify.hpp"

namespace enfold::uniqueness {

using lcp::PMatrixStatus;

bool OverTime::unique() const {
  return std::all_of(stretches.begin(), stretches.end(),
                     [](const TimeStretch& s) { return s.verdict == TimeVerdict::kUnique; });
}

bool interval_matrix_is_p(const MatrixXd& A, const MatrixXd& Delta) {
  const Index n = A.rows();
  ENFOLD_REQUIRE(A.cols() == n && Delta.rows() == n && Delta.cols() == n && n <= 12,
                 "interval_matrix_is_p: {} × {} and {} × {}, expected square, equal, at most 12", n, A.cols(),
                 Delta.rows(), Delta.cols());
  ENFOLD_REQUIRE((Delta.array() >= 0.0).all(), "interval_matrix_is_p: an entry of Δ is negative");
  lcp::PMatrixTester tester(n);
  VectorXd z = VectorXd::Ones(n);
  // z and −z give the same matrix: the last sign stays.
  for (std::uint32_t signs = 0; signs < 1U << std::max<Index>(0, n - 1); ++signs) {
    for (Index i = 0; i + 1 < n; ++i) z[i] = (signs >> i & 1U) != 0 ? -1.0 : 1.0;
    const MatrixXd vertex = A - z.asDiagonal() * Delta * z.asDiagonal();
    if (tester.test(vertex).status != PMatrixStatus::kP) return false;
  }
  return true;
}

namespace {

class Prover {
 public:
  Prover(const FamilyAt& family_at, const VectorXd& mu, const OverTimeOptions& options)
      : family_at_{family_at}, mu_{mu}, options_{options} {}

  OverTime run(double duration) {
    for (int k = 0; k < options_.intervals; ++k)
      decide(duration * k / options_.intervals, duration * (k + 1) / options_.intervals, options_.halvings);
    return std::move(out_);
  }

 private:
  static constexpr std::size_t kPoints = 5;
  using Families = std::array<std::optional<FrictionFamily>, kPoints>;

  void decide(double from, double to, int halvings) {
    Families at;
    int missing = 0;
    int P = 0;
    int not_P = 0;
    for (std::size_t k = 0; k < kPoints; ++k) {
      at[k] = family_at_(from + (to - from) * static_cast<double>(k) / (kPoints - 1));
      if (!at[k]) {
        ++missing;
        continue;
      }
      ENFOLD_REQUIRE(at[k]->size() == mu_.size(), "uniqueness_over_time: {} coefficients for {} rows",
                     mu_.size(), at[k]->size());
      const PMatrixStatus status = status_of(*at[k]);
      P += status == PMatrixStatus::kP ? 1 : 0;
      not_P += status == PMatrixStatus::kNotP ? 1 : 0;
    }
    const int followed = static_cast<int>(kPoints) - missing;
    if (followed == 0) return add(from, to, TimeVerdict::kNoMotion);
    if (missing == 0 && not_P == followed) return add(from, to, TimeVerdict::kNotUnique);
    if (missing == 0 && P == followed && proved(at)) return add(from, to, TimeVerdict::kUnique);
    if (halvings == 0) {
      if (missing > 0) return add(from, to, TimeVerdict::kNoMotion);
      return add(from, to, not_P == 0 ? TimeVerdict::kSampledOnly : TimeVerdict::kNotUnique);
    }
    const double middle = 0.5 * (from + to);
    decide(from, middle, halvings - 1);
    decide(middle, to, halvings - 1);
  }

  // Of the design, or the worst over all slip directions.
  [[nodiscard]] PMatrixStatus status_of(const FrictionFamily& family) const {
    if (options_.slip == SlipDirections::kDeclared) return lcp::test_p_matrix(family.A(mu_)).status;
    const Certificate box =
        certify(family, {VectorXd::Zero(mu_.size()), mu_}, {.slip = SlipDirections::kBoth});
    return box.status == CertificateStatus::kCertified ? PMatrixStatus::kP
           : box.status == CertificateStatus::kRefuted ? PMatrixStatus::kNotP
                                                       : PMatrixStatus::kUndecided;
  }

  // Both slip directions of the contacts that turn round: A₁'s columns change sign, their size is compared.
  [[nodiscard]] bool proved(const Families& at) const {
    const FrictionFamily& centre = *at[kPoints / 2];
    const Index n = centre.size();
    std::vector<Index> turning;
    MatrixXd D_0 = MatrixXd::Zero(n, n);
    MatrixXd D_1 = MatrixXd::Zero(n, n);
    for (const auto& family : at) {
      D_0 = D_0.cwiseMax((family->A_0 - centre.A_0).cwiseAbs());
      for (Index j = 0; j < n; ++j) {
        const bool turned = family->A_1.col(j).dot(centre.A_1.col(j)) < 0.0;
        const double sign = turned ? -1.0 : 1.0;
        D_1.col(j) = D_1.col(j).cwiseMax((sign * family->A_1.col(j) - centre.A_1.col(j)).cwiseAbs());
        if (turned && std::find(turning.begin(), turning.end(), j) == turning.end()) turning.push_back(j);
      }
    }
    if (options_.slip == SlipDirections::kBoth) {
      turning.clear();
      for (Index j = 0; j < n; ++j) turning.push_back(j);
    }
    const MatrixXd Delta = options_.safety * (D_0 + D_1 * mu_.asDiagonal());
    for (std::uint32_t turns = 0; turns < 1U << turning.size(); ++turns) {
      VectorXd mu = mu_;
      for (std::size_t k = 0; k < turning.size(); ++k)
        if ((turns >> k & 1U) != 0) mu[turning[k]] = -mu[turning[k]];
      if (!interval_matrix_is_p(centre.A(mu), Delta)) return false;
    }
    return true;
  }

  void add(double from, double to, TimeVerdict verdict) {
    if (!out_.stretches.empty() && out_.stretches.back().verdict == verdict) {
      out_.stretches.back().to = to;
      return;
    }
    out_.stretches.push_back({from, to, verdict});
  }

  const FamilyAt& family_at_;
  const VectorXd& mu_;
  const OverTimeOptions& options_;
  OverTime out_;
};

}  // namespace

OverTime uniqueness_over_time(const FamilyAt& family_at, double duration, const VectorXd& mu,
                              const OverTimeOptions& options) {
  ENFOLD_REQUIRE(duration >= 0.0, "uniqueness_over_time: the duration is {} s, expected ≥ 0", duration);
  ENFOLD_REQUIRE(
      options.intervals >= 1 && options.halvings >= 0 && options.halvings <= 30 && options.safety >= 1.0,
      "uniqueness_over_time: {} intervals, {} halvings, safety {}", options.intervals, options.halvings,
      options.safety);
  ENFOLD_REQUIRE(mu.allFinite() && (mu.size() == 0 || mu.minCoeff() >= 0.0),
                 "uniqueness_over_time: a friction coefficient is negative or not finite");
  return Prover(family_at, mu, options).run(duration);
}

}  // namespace enfold::uniqueness

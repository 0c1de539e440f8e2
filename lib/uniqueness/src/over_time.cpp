// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/uniqueness/over_time.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>

#include "enfold/base/require.hpp"
#include "enfold/lcp/p_matrix.hpp"
#include "enfold/uniqueness/certify.hpp"

namespace enfold::uniqueness {

using lcp::PMatrixStatus;

std::string_view to_string(TimeVerdict verdict) {
  switch (verdict) {
    case TimeVerdict::kUnique:
      return "unique";
    case TimeVerdict::kNotUnique:
      return "not unique";
    case TimeVerdict::kSampledUnique:
      return "sampled unique";
    case TimeVerdict::kSampledNotUnique:
      return "sampled not unique";
    case TimeVerdict::kUndecided:
      return "undecided";
    case TimeVerdict::kNoMotion:
      return "no motion";
  }
  return "unknown";
}

bool OverTime::unique() const {
  return std::all_of(stretches.begin(), stretches.end(),
                     [](const TimeStretch& s) { return s.verdict == TimeVerdict::kUnique; });
}

const TimeStretch* OverTime::first_loss() const {
  for (const TimeStretch& stretch : stretches)
    if (stretch.verdict == TimeVerdict::kNotUnique || stretch.verdict == TimeVerdict::kSampledNotUnique)
      return &stretch;
  return nullptr;
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

// No matrix within Δ of A has a singular block S: ‖ |A_SS⁻¹| Δ_SS ‖_∞ < 1, with room for rounding.
bool stays_regular(const MatrixXd& A, const MatrixXd& Delta, const std::vector<Index>& S) {
  const MatrixXd inverse = A(S, S).partialPivLu().inverse();
  const MatrixXd change = inverse.cwiseAbs() * Delta(S, S);
  return change.allFinite() && change.rowwise().sum().maxCoeff() < 0.99;
}

class Prover {
 public:
  Prover(const FamilyAt& family_at, const FamilyOver& family_over, const VectorXd& mu,
         const OverTimeOptions& options)
      : family_at_{family_at}, family_over_{family_over}, mu_{mu}, options_{options}, tester_(mu.size()) {}

  OverTime run(double duration) {
    for (int k = 0; k < options_.intervals; ++k)
      decide(duration * k / options_.intervals, duration * (k + 1) / options_.intervals, options_.halvings);
    join_next_to_losses(duration / options_.intervals / 64.0);
    return std::move(out_);
  }

 private:
  // What a sample says: the status, and where a minor fails.
  struct Sample {
    PMatrixStatus status = PMatrixStatus::kNotRun;
    VectorXd mu;  // signed
    std::vector<Index> witness;
  };

  void decide(double from, double to, int halvings) {
    ++count_;
    const double middle = 0.5 * (from + to);
    const std::array<std::optional<Sample>, 3> samples{sample(from), sample(middle), sample(to)};
    const bool missing = !samples[0] || !samples[1] || !samples[2];
    if (!samples[0] && !samples[1] && !samples[2]) return add(from, to, TimeVerdict::kNoMotion);
    const auto all = [&](PMatrixStatus status) {
      return !missing && samples[0]->status == status && samples[1]->status == status &&
             samples[2]->status == status;
    };
    const bool all_P = all(PMatrixStatus::kP);
    const bool none_P = all(PMatrixStatus::kNotP);
    bool enclosed = false;
    if (family_over_ && (all_P || none_P)) {
      const std::optional<FamilyEnclosure> enclosure = family_over_(from, to);
      enclosed = enclosure.has_value();
      if (enclosed && all_P && proved_P(*enclosure)) return add(from, to, TimeVerdict::kUnique);
      if (enclosed && none_P && proved_not_P(*enclosure, *samples[1]))
        return add(from, to, TimeVerdict::kNotUnique);
    }
    const bool give_up = halvings == 0 || count_ >= options_.max_intervals;
    // Without an enclosure halving proves nothing: it only locates what changes between the samples.
    if (give_up || (!family_over_ && (all_P || none_P))) {
      if (missing) return add(from, to, TimeVerdict::kNoMotion);
      return add(from, to,
                 all_P    ? TimeVerdict::kSampledUnique
                 : none_P ? TimeVerdict::kSampledNotUnique
                          : TimeVerdict::kUndecided);
    }
    // Where no enclosure can be given at all, halving on and on would be in vain.
    const int left = (all_P || none_P) && !enclosed ? std::min(halvings - 1, 4) : halvings - 1;
    decide(from, middle, left);
    decide(middle, to, left);
  }

  [[nodiscard]] std::optional<Sample> sample(double t) {
    const std::optional<FrictionFamily> family = family_at_(t);
    if (!family) return std::nullopt;
    ENFOLD_REQUIRE(family->size() == mu_.size(), "uniqueness_over_time: {} coefficients for {} rows",
                   mu_.size(), family->size());
    if (options_.slip == SlipDirections::kDeclared) {
      const lcp::PMatrixResult& result = tester_.test(family->A(mu_));
      return Sample{result.status, mu_, result.witness.indices};
    }
    const Certificate box =
        certify(*family, {VectorXd::Zero(mu_.size()), mu_}, {.slip = SlipDirections::kBoth});
    const PMatrixStatus status = box.status == CertificateStatus::kCertified ? PMatrixStatus::kP
                                 : box.status == CertificateStatus::kRefuted ? PMatrixStatus::kNotP
                                                                             : PMatrixStatus::kUndecided;
    return Sample{status, box.witness, box.witness_minor.indices};
  }

  [[nodiscard]] bool proved_P(const FamilyEnclosure& enclosure) {
    for (const FrictionFamily& corner : corner_families(enclosure, options_.slip))
      if (tester_.decide(corner.A(mu_)).status != PMatrixStatus::kP) return false;
    return true;
  }

  // The minor that fails in the middle fails all along. With declared directions no contact in it may turn.
  [[nodiscard]] bool proved_not_P(const FamilyEnclosure& enclosure, const Sample& at) {
    const std::vector<Index>& S = at.witness;
    if (S.empty()) return false;
    for (const Index j : S)
      if (options_.slip == SlipDirections::kDeclared && enclosure.turns[static_cast<std::size_t>(j)] &&
          at.mu[j] != 0.0)
        return false;
    const MatrixXd Delta = enclosure.radius_0 + enclosure.radius_1 * at.mu.cwiseAbs().asDiagonal();
    const MatrixXd A = enclosure.centre.A(at.mu);
    // The whole of S, not a part of it: the sign of det A_SS is certain there.
    const lcp::PMatrixResult& centre = tester_.test(A(S, S));
    return centre.status == PMatrixStatus::kNotP && centre.witness.indices.size() == S.size() &&
           stays_regular(A, Delta, S);
  }

  // Next to the instant at which uniqueness is lost the last halves are sampled on both sides: one stretch.
  void join_next_to_losses(double length) {
    const auto open = [&](const TimeStretch& s) {
      return s.to - s.from <= length &&
             (s.verdict == TimeVerdict::kUndecided || s.verdict == TimeVerdict::kSampledUnique ||
              s.verdict == TimeVerdict::kSampledNotUnique);
    };
    std::vector<TimeStretch> joined;
    for (const TimeStretch& stretch : out_.stretches) {
      const bool next_to =
          !joined.empty() && open(joined.back()) && open(stretch) &&
          (joined.back().verdict == TimeVerdict::kUndecided || stretch.verdict == TimeVerdict::kUndecided);
      if (!next_to) {
        joined.push_back(stretch);
        continue;
      }
      joined.back().to = stretch.to;
      joined.back().verdict = TimeVerdict::kUndecided;
    }
    out_.stretches = std::move(joined);
  }

  void add(double from, double to, TimeVerdict verdict) {
    if (!out_.stretches.empty() && out_.stretches.back().verdict == verdict) {
      out_.stretches.back().to = to;
      return;
    }
    out_.stretches.push_back({from, to, verdict});
  }

  const FamilyAt& family_at_;
  const FamilyOver& family_over_;
  const VectorXd& mu_;
  const OverTimeOptions& options_;
  lcp::PMatrixTester tester_;
  OverTime out_;
  int count_ = 0;
};

void require_motion(double duration, const VectorXd& mu) {
  ENFOLD_REQUIRE(std::isfinite(duration) && duration >= 0.0,
                 "uniqueness over time: the duration is {} s, expected finite and ≥ 0", duration);
  ENFOLD_REQUIRE(mu.allFinite() && (mu.size() == 0 || mu.minCoeff() >= 0.0),
                 "uniqueness over time: a friction coefficient is negative or not finite");
}

// Whether the cube of half-width r around μ is certified at every instant from `from` to `to`.
bool cube_certified(const FamilyEnclosure& enclosure, const VectorXd& mu, double r, SlipDirections slip,
                    lcp::PMatrixTester& tester) {
  const VectorXd upper = (mu.array() + r).matrix();
  for (const FrictionFamily& corner : corner_families(enclosure, slip)) {
    if (slip == SlipDirections::kBoth) {  // the vertices of [−(μ + r), μ + r] are the signs of one of them
      if (tester.decide(corner.A(upper)).status != PMatrixStatus::kP) return false;
    } else {
      const FrictionBox cube{(mu.array() - r).max(0.0).matrix(), upper};
      if (certify(corner, cube).status != CertificateStatus::kCertified) return false;
    }
  }
  return true;
}

}  // namespace

OverTime uniqueness_over_time(const FamilyAt& family_at, const FamilyOver& family_over, double duration,
                              const VectorXd& mu, const OverTimeOptions& options) {
  require_motion(duration, mu);
  ENFOLD_REQUIRE(
      options.intervals >= 1 && options.halvings >= 0 && options.halvings <= 30 && options.max_intervals >= 1,
      "uniqueness_over_time: {} intervals, {} halvings, at most {} intervals", options.intervals,
      options.halvings, options.max_intervals);
  return Prover(family_at, family_over, mu, options).run(duration);
}

SmallestMargin smallest_margin_over_time(const FamilyAt& family_at, const FamilyOver& family_over,
                                         double duration, const VectorXd& mu,
                                         const SmallestMarginOptions& options) {
  require_motion(duration, mu);
  ENFOLD_REQUIRE(options.instants >= 2 && options.tolerance >= 1e-6 && options.tolerance <= 0.1 &&
                     options.max_intervals >= 1,
                 "smallest_margin_over_time: {} instants, tolerance {}, at most {} intervals",
                 options.instants, options.tolerance, options.max_intervals);
  SmallestMargin out;
  bool followed = true;
  const auto half_width = [&](double t) {
    const std::optional<FrictionFamily> family = family_at(t);
    FrictionMargin margin;
    if (family) margin = friction_margin(*family, mu, {.slip = options.slip});
    const bool known = margin.status == MarginStatus::kFinite || margin.status == MarginStatus::kNotP;
    if (margin.status == MarginStatus::kUnbounded) return std::numeric_limits<double>::infinity();
    if (!known) {
      followed = false;
      return std::numeric_limits<double>::infinity();
    }
    // A rest at the start or the end is flat: of equal instants the first one looked at stays.
    constexpr double kEqual = 1e-12;
    if (out.margin.status == MarginStatus::kNotRun ||
        margin.half_width < (1.0 - kEqual) * out.margin.half_width) {
      out.time = t;
      out.margin = margin;
    }
    return margin.half_width;
  };
  const double step = duration / (options.instants - 1);
  for (int k = 0; k < options.instants; ++k) (void)half_width(k + 1 < options.instants ? k * step : duration);
  if (out.margin.status != MarginStatus::kFinite) return out;
  // Golden sections between the neighbours of the smallest sample.
  const double golden = 0.5 * (std::sqrt(5.0) - 1.0);
  double a = std::max(0.0, out.time - step);
  double b = std::min(duration, out.time + step);
  double c = b - golden * (b - a);
  double d = a + golden * (b - a);
  double at_c = half_width(c);
  double at_d = half_width(d);
  while (b - a > 1e-9 * duration) {
    if (at_c < at_d) {
      b = d;
      d = c;
      at_d = at_c;
      c = b - golden * (b - a);
      at_c = half_width(c);
    } else {
      a = c;
      c = d;
      at_c = at_d;
      d = a + golden * (b - a);
      at_d = half_width(d);
    }
  }
  if (!family_over) return out;
  // What is certified on every interval is certified for the whole motion.
  lcp::PMatrixTester tester(mu.size());
  double target = 0.0;
  std::vector<std::array<double, 2>> open;
  const auto start = [&] {
    target = (1.0 - options.tolerance) * out.margin.half_width;
    open.assign({{0.0, duration}});
  };
  start();
  for (int count = 0; !open.empty(); ++count) {
    const auto [from, to] = open.back();
    open.pop_back();
    const std::optional<FamilyEnclosure> enclosure = family_over(from, to);
    if (enclosure && cube_certified(*enclosure, mu, target, options.slip, tester)) continue;
    const double middle = 0.5 * (from + to);
    const bool smaller = half_width(middle) < target;  // the samples had missed it
    if (!followed || count >= options.max_intervals || to - from < 1e-9 * duration ||
        out.margin.status != MarginStatus::kFinite)
      return out;
    if (smaller) {
      start();
      continue;
    }
    open.push_back({middle, to});
    open.push_back({from, middle});
  }
  out.proved = followed ? target : 0.0;
  return out;
}

}  // namespace enfold::uniqueness

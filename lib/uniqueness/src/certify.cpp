// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/uniqueness/certify.hpp"

#include <algorithm>
#include <cmath>

#include "enfold/base/require.hpp"
#include "enfold/uniqueness/frontier.hpp"
#include "vertices.hpp"

namespace enfold::uniqueness {

using lcp::PMatrixStatus;

std::string_view to_string(CertificateStatus status) {
  switch (status) {
    case CertificateStatus::kNotRun:
      return "not run";
    case CertificateStatus::kCertified:
      return "certified";
    case CertificateStatus::kRefuted:
      return "refuted";
    case CertificateStatus::kNotProved:
      return "not proved";
  }
  return "unknown";
}

std::string_view to_string(CertificateMethod method) {
  switch (method) {
    case CertificateMethod::kNone:
      return "none";
    case CertificateMethod::kVertices:
      return "vertices";
    case CertificateMethod::kUntiedCorners:
      return "untied corners";
    case CertificateMethod::kRoots:
      return "roots";
    case CertificateMethod::kSubdivision:
      return "subdivision";
    case CertificateMethod::kColumnDominance:
      return "column dominance";
    case CertificateMethod::kSmallMinors:
      return "small minors";
  }
  return "unknown";
}

namespace detail {

VertexScan scan_vertices(const FrictionFamily& family, const FrictionBox& box, lcp::PMatrixTester& tester) {
  VertexScan out;
  const std::vector<Index> free = varying(family, box);
  VectorXd mu;
  for (std::uint32_t mask = 0; mask < 1U << free.size(); ++mask) {
    set_vertex(box, free, mask, mu);
    const lcp::PMatrixResult& result = tester.test(family.A(mu));
    if (!(result.smallest.value >= out.smallest.value)) {  // also while that is NaN
      out.smallest = result.smallest;
      out.smallest_at = mu;
    }
    if (result.status == PMatrixStatus::kP) continue;
    const bool refuted = result.status == PMatrixStatus::kNotP;
    if (!refuted && out.status != PMatrixStatus::kP) continue;
    out.status = result.status;
    out.witness_minor = result.witness;
    out.witness = mu;
    if (refuted) return out;
  }
  return out;
}

}  // namespace detail

namespace {

void require_box(const FrictionBox& box, Index size, const CertifyOptions& options) {
  ENFOLD_REQUIRE(box.lower.size() == size && box.upper.size() == size,
                 "certify: the box has {} lower and {} upper ends, expected {}", box.lower.size(),
                 box.upper.size(), size);
  for (Index j = 0; j < size; ++j)
    ENFOLD_REQUIRE(std::isfinite(box.lower[j]) && std::isfinite(box.upper[j]) && box.upper[j] >= 0.0 &&
                       box.lower[j] <= box.upper[j],
                   "certify: side {} of the box is [{}, {}], expected finite ends, lower ≤ upper, upper ≥ 0",
                   j, box.lower[j], box.upper[j]);
  ENFOLD_REQUIRE(options.limit >= 0 && options.limit <= 14, "certify: limit is {}, expected 0 … 14",
                 options.limit);
  ENFOLD_REQUIRE(options.max_boxes >= 1, "certify: max_boxes is {}, expected 1 or more", options.max_boxes);
}

FrictionBox as_judged(const FrictionBox& box, SlipDirections slip) {
  if (slip == SlipDirections::kBoth) return {-box.upper, box.upper};
  return {box.lower.cwiseMax(0.0), box.upper};
}

void set_verdict(const detail::VertexScan& scan, CertificateMethod method, MinorBound bound,
                 Certificate& out) {
  out.method = method;
  if (scan.status == PMatrixStatus::kP) {
    out.status = CertificateStatus::kCertified;
    out.bound = bound;
    out.smallest = scan.smallest;
    out.smallest_at = scan.smallest_at;
    out.proved_size = out.box.lower.size();
    return;
  }
  out.status =
      scan.status == PMatrixStatus::kNotP ? CertificateStatus::kRefuted : CertificateStatus::kNotProved;
  out.witness = scan.witness;
  out.witness_minor = scan.witness_minor;
}

// Strict dominance is convex in μ_j, and column j holds no other coefficient: both ends decide.
bool columns_dominant(const FrictionFamily& family, const FrictionBox& box) {
  constexpr double kMargin = 1e-12;
  for (const VectorXd* mu : {&box.lower, &box.upper}) {
    const MatrixXd A = family.A(*mu);
    for (Index j = 0; j < A.cols(); ++j)
      if (!(A(j, j) > (1.0 + kMargin) * (A.col(j).cwiseAbs().sum() - std::abs(A(j, j))))) return false;
  }
  return true;
}

// Minors of the rows `S` over the box: exact, since they depend on μ_S only.
detail::VertexScan scan_rows(const FrictionFamily& family, const FrictionBox& box,
                             const std::vector<Index>& S, lcp::PMatrixTester& tester) {
  const FrictionFamily part{family.A_0(S, S), family.A_1(S, S)};
  detail::VertexScan scan = detail::scan_vertices(part, {box.lower(S), box.upper(S)}, tester);
  if (scan.status == PMatrixStatus::kP) return scan;
  VectorXd witness = box.lower;
  witness(S) = scan.witness;
  scan.witness = witness;
  for (Index& i : scan.witness_minor.indices) i = S[static_cast<std::size_t>(i)];
  return scan;
}

void certify_cheaply(const FrictionFamily& family, Certificate& out) {
  if (columns_dominant(family, out.box)) {
    out.status = CertificateStatus::kCertified;
    out.method = CertificateMethod::kColumnDominance;
    out.proved_size = family.size();
    return;
  }
  out.status = CertificateStatus::kNotProved;
  out.method = CertificateMethod::kSmallMinors;
  lcp::PMatrixTester tester(2);
  const auto fails = [&](const std::vector<Index>& S) {
    const detail::VertexScan scan = scan_rows(family, out.box, S, tester);
    if (scan.status == PMatrixStatus::kP) return false;
    set_verdict(scan, CertificateMethod::kSmallMinors, MinorBound::kUnknown, out);
    return true;
  };
  for (Index j = 0; j < family.size(); ++j)
    if (fails({j})) return;
  out.proved_size = 1;
  for (Index j = 1; j < family.size(); ++j)
    for (Index i = 0; i < j; ++i)
      if (fails({i, j})) return;
  out.proved_size = 2;
}

// 1 for a group with several coefficients that enter, else 0.
VectorXd tied_groups(const FrictionFamily& family, const FrictionGroups& groups) {
  VectorXd members = VectorXd::Zero(groups.count);
  for (Index j = 0; j < family.size(); ++j) {
    const Index g = groups.group_of[static_cast<std::size_t>(j)];
    if (g >= 0 && family.enters(j)) members[g] += 1.0;
  }
  return (members.array() > 1.0).cast<double>();
}

// One group, from its lower to its upper end. @pre the untied corners did not decide
void certify_by_roots(const FrictionFamily& family, const FrictionGroups& groups, const FrictionBox& box,
                      Certificate& out) {
  const double width = box.upper[0] - box.lower[0];
  const VectorXd start = out.box.lower;
  const VectorXd d = groups.expand(VectorXd::Ones(1));
  out.method = CertificateMethod::kRoots;
  out.status = CertificateStatus::kNotProved;
  const auto blame = [&](double r) {
    const lcp::PMatrixResult result = lcp::test_p_matrix(family.A(start + r * d));
    out.witness = start + r * d;
    out.witness_minor = result.witness;
    if (result.status == PMatrixStatus::kNotP) out.status = CertificateStatus::kRefuted;
    return out.status == CertificateStatus::kRefuted;
  };
  if (width == 0.0) {
    (void)blame(0.0);
    return;
  }
  const Frontier edge = frontier(family, start, d, {.exact_limit = 16, .r_max = width});
  switch (edge.status) {
    case FrontierStatus::kNone:
      if (edge.proved_to < width) return;
      if (lcp::test_p_matrix(family.A(start + width * d)).status != PMatrixStatus::kP) {
        (void)blame(width);
        return;
      }
      out.status = CertificateStatus::kCertified;
      out.proved_size = family.size();
      return;
    case FrontierStatus::kCrossing:
      // At the root itself rounding hides the sign: the witness is a little behind it.
      for (double step = 1e-13; step < 1.0; step *= 4.0)
        if (blame(std::min(width, edge.r + step * width))) return;
      return;
    case FrontierStatus::kTouchOnly:
      (void)blame(edge.touches.front().r);
      return;
    default:
      (void)blame(0.0);
      return;
  }
}

// Boxes of group values that cover the whole, each proved by its untied corners or split.
void certify_by_subdivision(const FrictionFamily& family, const FrictionGroups& groups, const VectorXd& mu_0,
                            const FrictionBox& whole, const CertifyOptions& options,
                            lcp::PMatrixTester& tester, Certificate& out) {
  const auto rows = [&](const VectorXd& values) {
    VectorXd mu = groups.expand(values);
    for (Index j = 0; j < mu.size(); ++j)
      if (groups.group_of[static_cast<std::size_t>(j)] < 0) mu[j] = mu_0[j];
    return mu;
  };
  out.method = CertificateMethod::kSubdivision;
  out.status = CertificateStatus::kNotProved;
  const auto refuted_at = [&](const VectorXd& values) {
    const VectorXd mu = rows(values);
    const lcp::PMatrixResult& result = tester.test(family.A(mu));
    if (result.status != PMatrixStatus::kNotP) return false;
    out.status = CertificateStatus::kRefuted;
    out.witness = mu;
    out.witness_minor = result.witness;
    return true;
  };
  for (std::uint32_t mask = 0; mask < 1U << groups.count; ++mask) {
    VectorXd corner = whole.lower;
    for (Index g = 0; g < groups.count; ++g)
      if ((mask >> g & 1U) != 0) corner[g] = whole.upper[g];
    if (refuted_at(corner)) return;
  }
  const VectorXd tied = tied_groups(family, groups);
  std::vector<FrictionBox> open{whole};
  lcp::PrincipalMinor smallest;
  for (int count = 0; !open.empty(); ++count) {
    if (count >= options.max_boxes) return;
    const FrictionBox box = open.back();
    open.pop_back();
    const detail::VertexScan scan = detail::scan_vertices(family, {rows(box.lower), rows(box.upper)}, tester);
    if (scan.status == PMatrixStatus::kP) {
      if (!(scan.smallest.value >= smallest.value)) smallest = scan.smallest;
      continue;
    }
    // In a group of one the minors are affine already: splitting it proves nothing.
    Index widest = 0;
    (box.upper - box.lower).cwiseProduct(tied).maxCoeff(&widest);
    const VectorXd middle = 0.5 * (box.lower + box.upper);
    if (refuted_at(middle)) return;
    if (!(middle[widest] > box.lower[widest] && middle[widest] < box.upper[widest])) {
      out.witness = scan.witness;
      out.witness_minor = scan.witness_minor;
      return;
    }
    FrictionBox low = box;
    FrictionBox high = box;
    low.upper[widest] = high.lower[widest] = middle[widest];
    open.push_back(std::move(low));
    open.push_back(std::move(high));
  }
  out.status = CertificateStatus::kCertified;
  out.bound = MinorBound::kLowerBound;
  out.smallest = smallest;
  out.proved_size = family.size();
}

}  // namespace

Certificate certify(const FrictionFamily& family, const FrictionBox& box, const CertifyOptions& options) {
  validate(family);
  require_box(box, family.size(), options);
  Certificate out;
  out.box = as_judged(box, options.slip);
  if (family.size() > options.limit) {
    certify_cheaply(family, out);
    return out;
  }
  lcp::PMatrixTester tester(family.size());
  set_verdict(detail::scan_vertices(family, out.box, tester), CertificateMethod::kVertices,
              MinorBound::kAttained, out);
  return out;
}

Certificate certify(const FrictionFamily& family, const FrictionGroups& groups, const VectorXd& mu_0,
                    const FrictionBox& box, const CertifyOptions& options) {
  validate(family);
  require_box(box, groups.count, options);
  ENFOLD_REQUIRE(static_cast<Index>(groups.group_of.size()) == family.size() && mu_0.size() == family.size(),
                 "certify: {} rows in groups and {} coefficients for {} rows", groups.group_of.size(),
                 mu_0.size(), family.size());
  ENFOLD_REQUIRE(mu_0.allFinite(), "certify: an entry of mu_0 is not finite");
  const FrictionBox judged = as_judged(box, options.slip);
  FrictionBox untied{groups.expand(judged.lower), groups.expand(judged.upper)};
  for (Index j = 0; j < family.size(); ++j) {
    if (groups.group_of[static_cast<std::size_t>(j)] >= 0) continue;
    const double fixed = mu_0[j];
    untied.lower[j] = options.slip == SlipDirections::kBoth ? -std::abs(fixed) : fixed;
    untied.upper[j] = options.slip == SlipDirections::kBoth ? std::abs(fixed) : fixed;
  }
  const bool tied = options.slip == SlipDirections::kDeclared && tied_groups(family, groups).any();

  Certificate out;
  out.box = untied;
  if (family.size() > options.limit) {
    certify_cheaply(family, out);
    // A vertex of the untied box need not be one of the tied box.
    if (tied && out.status == CertificateStatus::kRefuted) out.status = CertificateStatus::kNotProved;
    return out;
  }
  lcp::PMatrixTester tester(family.size());
  const detail::VertexScan scan = detail::scan_vertices(family, untied, tester);
  if (!tied) {
    set_verdict(scan, CertificateMethod::kVertices, MinorBound::kAttained, out);
  } else if (scan.status == PMatrixStatus::kP) {
    set_verdict(scan, CertificateMethod::kUntiedCorners, MinorBound::kLowerBound, out);
  } else if (groups.count == 1) {
    certify_by_roots(family, groups, judged, out);
  } else {
    certify_by_subdivision(family, groups, mu_0, judged, options, tester, out);
  }
  return out;
}

}  // namespace enfold::uniqueness

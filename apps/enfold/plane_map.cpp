// SPDX-License-Identifier: BSD-3-Clause
#include "plane_map.hpp"

#include <algorithm>
#include <cmath>

#include "enfold/lcp/enumeration.hpp"
#include "enfold/lcp/p_matrix.hpp"

namespace enfold::app {
namespace {

using lcp::PMatrixStatus;
using uniqueness::FrictionBox;
using uniqueness::FrictionFamily;
using uniqueness::SlipDirections;

constexpr Index kSampledLimit = 8;  // contacts: 2ⁿ minors at every point
constexpr Index kCountedLimit = 6;  // contacts: 2ⁿ bases at every point
constexpr Index kProvedLimit = 5;   // contacts: 2ⁿ⁻¹ corner families for every stretch of time

SampledMap sample_map(const PlaneMap& map, const std::vector<GraspInstant>& instants, int n) {
  SampledMap out;
  out.n = n;
  if (n <= 0) return out;
  const uniqueness::PlaneProblem& plane = map.plane;
  const Vector2d step = (plane.upper - plane.lower) / n;
  const Index size = plane.families.front().size();
  if (size > kSampledLimit) return out;  // the curves are exact anyway
  lcp::PMatrixTester tester(size);
  const bool count = instants.size() == 1 && instants.front().b && size <= kCountedLimit;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const VectorXd mu = plane.mu(plane.lower + step.cwiseProduct(Vector2d{i + 0.5, j + 0.5}));
      double least = std::numeric_limits<double>::infinity();
      bool P = true;
      for (const FrictionFamily& family : plane.families) {
        const lcp::PMatrixResult& result = tester.test(family.A(mu));
        least = std::min(least, result.smallest.value);
        P = P && result.status == PMatrixStatus::kP;
      }
      out.min_minor.push_back(least);
      if (!count) continue;
      if (P) {
        out.solutions.push_back(1);
        continue;
      }
      const auto all = lcp::enumerate_solutions({plane.families.front().A(mu), *instants.front().b});
      out.solutions.push_back(all.count() ? static_cast<int>(*all.count()) : -1);
    }
  }
  return out;
}

// The window is grown until it holds the circle around the design that touches the edge.
uniqueness::RegionDistance distance_of(uniqueness::PlaneProblem plane, const Vector2d& design) {
  uniqueness::RegionDistance out;
  for (double gap = 1.0; gap <= 16.0; gap *= 2.0) {
    plane.lower.setZero();
    plane.upper = design + Vector2d::Constant(gap);
    const uniqueness::PRegion region = uniqueness::trace_p_region(plane);
    if (region.status != uniqueness::PRegionStatus::kTraced) return out;
    out = uniqueness::distance_to_boundary(plane, region, design);
    if (out.distance <= gap) break;
  }
  return out;
}

// The plane without its families, and the design as a point of it.
void set_plane(const GraspInstant& like, const MapOptions& options, PlaneMap& out) {
  out.plane.upper = Vector2d::Constant(options.window);
  out.plane.mu_0 = like.mu;
  out.plane.groups.count = 2;
  Vector2d design = Vector2d::Constant(-1.0);
  bool one_value = true;
  for (std::size_t row = 0; row < like.rows.contacts.size(); ++row) {
    Index group = -1;
    for (const std::size_t g : {0UL, 1UL}) {
      const std::vector<Index>& members = options.groups[g];
      if (std::find(members.begin(), members.end(), like.rows.contacts[row]) == members.end()) continue;
      group = static_cast<Index>(g);
      const double mu = like.mu[static_cast<Index>(row)];
      if (!like.rows.family.enters(static_cast<Index>(row))) continue;
      one_value = one_value && (design[group] < 0.0 || design[group] == mu);
      design[group] = mu;
    }
    out.plane.groups.group_of.push_back(group);
  }
  if (one_value) out.design = design.cwiseMax(0.0);
}

// The largest change of A(μ) in a stretch, in parts of its largest entry.
double radius_over(const uniqueness::FamilyEnclosure& enclosure, const VectorXd& mu) {
  const MatrixXd Delta = enclosure.radius_0 + enclosure.radius_1 * mu.asDiagonal();
  return Delta.maxCoeff() / enclosure.centre.A(mu).cwiseAbs().maxCoeff();
}

bool all_P(const PlaneMap& map, const Vector2d& at) {
  const VectorXd mu = map.plane.mu(at);
  return std::all_of(map.plane.families.begin(), map.plane.families.end(), [&](const FrictionFamily& family) {
    return lcp::test_p_matrix(family.A(mu)).status == PMatrixStatus::kP;
  });
}

}  // namespace

PlaneMap make_map(const std::vector<GraspInstant>& instants, const MapOptions& options) {
  PlaneMap out;
  set_plane(instants.front(), options, out);
  for (const GraspInstant& instant : instants) {
    if (options.slip == SlipDirections::kDeclared) {
      out.plane.families.push_back(instant.rows.family);
      continue;
    }
    std::vector<FrictionFamily> all = uniqueness::signed_families(instant.rows.family);
    out.families_per_instant = static_cast<Index>(all.size());
    for (FrictionFamily& family : all) out.plane.families.push_back(std::move(family));
  }
  out.region = uniqueness::trace_p_region(out.plane);
  out.sampled = sample_map(out, instants, options.samples);
  if (!out.design) return out;
  out.distance = distance_of(out.plane, *out.design);
  out.design_inside = all_P(out, *out.design);
  return out;
}

std::optional<PlaneMap> make_proved_map(const GraspPath& path, const GraspInstant& like,
                                        const MapOptions& options) {
  const uniqueness::FamilyOver over = path.family_over();
  const Index n = like.rows.family.size();
  // Both directions are 2ⁿ times as many families.
  const bool both = options.slip == SlipDirections::kBoth;
  if (!over || n == 0 || n > (both ? kProvedLimit - 1 : kProvedLimit)) return std::nullopt;
  PlaneMap out;
  set_plane(like, options, out);
  const FrictionBox window{out.plane.mu(out.plane.lower), out.plane.mu(out.plane.upper)};
  // A stretch whose corners are P all over the window says nothing; another is halved until it is held to
  // kFine of A's size, or there are too many families.
  constexpr int kIntervals = 50;
  constexpr int kHalvings = 6;
  constexpr double kFine = 2e-3;
  constexpr std::size_t kMaxFamilies = 4000;
  std::vector<std::pair<double, int>> open;  // end of a stretch, halvings left
  double from = 0.0;
  for (int k = kIntervals; k >= 1; --k) open.emplace_back(path.duration() * k / kIntervals, kHalvings);
  while (!open.empty()) {
    const auto [to, halvings] = open.back();
    const std::optional<uniqueness::FamilyEnclosure> enclosure = over(from, to);
    std::vector<FrictionFamily> corners;
    bool fine = enclosure.has_value();
    if (enclosure) {
      for (FrictionFamily& corner : uniqueness::corner_families(*enclosure, options.slip))
        if (uniqueness::certify(corner, window).status != uniqueness::CertificateStatus::kCertified)
          corners.push_back(std::move(corner));
      fine = corners.empty() || radius_over(*enclosure, window.upper) <= kFine;
    }
    if (!fine && halvings > 0 && out.plane.families.size() < kMaxFamilies) {
      open.back().second = halvings - 1;
      open.emplace_back(0.5 * (from + to), halvings - 1);
      continue;
    }
    if (!enclosure) return std::nullopt;
    for (FrictionFamily& corner : corners) out.plane.families.push_back(std::move(corner));
    from = to;
    open.pop_back();
  }
  if (out.plane.families.empty()) out.plane.families.push_back(like.rows.family);  // P all over the window
  out.region = uniqueness::trace_p_region(out.plane);
  if (!out.design) return out;
  out.design_inside = all_P(out, *out.design);
  out.distance = uniqueness::distance_to_boundary(out.plane, out.region, *out.design);
  return out;
}

}  // namespace enfold::app

// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/uniqueness/directed_frontier.hpp"

#include <algorithm>
#include <cmath>

namespace enfold::uniqueness {
namespace {

using IndexSet = std::vector<Index>;

bool smaller_set(const IndexSet& a, const IndexSet& b) {
  if (a.size() != b.size()) return a.size() < b.size();
  // The smaller binary number Σ 2^i: the largest index in which they differ decides.
  return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

// The first failure of `other`, at the same r, becomes one of `out`.
void tie(const DirectedFrontier& other, DirectedFrontier& out) {
  Frontier& f = out.frontier;
  std::vector<IndexSet> sets = f.ties;
  sets.push_back(f.indices);
  sets.push_back(other.frontier.indices);
  sets.insert(sets.end(), other.frontier.ties.begin(), other.frontier.ties.end());
  std::sort(sets.begin(), sets.end(), smaller_set);
  sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
  if (sets.front() != f.indices && sets.front() == other.frontier.indices) out.signs = other.signs;
  f.r = std::min(f.r, other.frontier.r);
  f.indices = sets.front();
  f.ties.assign(sets.begin() + 1, sets.end());
}

}  // namespace

DirectedFrontier directed_frontier(const FrictionFamily& family, const VectorXd& mu_0, const VectorXd& d,
                                   SlipDirections slip, const FrontierOptions& options) {
  DirectedFrontier out{frontier(family, mu_0, d, options), VectorXd::Ones(family.size())};
  if (slip == SlipDirections::kDeclared) return out;
  IndexSet rows;
  for (Index j = 0; j < family.size(); ++j)
    if (family.enters(j) && (mu_0[j] != 0.0 || d[j] != 0.0)) rows.push_back(j);
  if (out.frontier.status == FrontierStatus::kTooLarge || rows.size() > 12) {
    out.frontier.status = FrontierStatus::kTooLarge;
    out.frontier.r = std::numeric_limits<double>::infinity();
    out.frontier.proved_to = 0.0;  // the other directions were not looked at
    return out;
  }
  const auto unit = [&](double r) { return options.tie_tol * std::max(1.0, r); };
  for (std::uint32_t mask = 1; mask < 1U << rows.size(); ++mask) {
    DirectedFrontier one{{}, VectorXd::Ones(family.size())};
    for (std::size_t k = 0; k < rows.size(); ++k)
      if ((mask >> k & 1U) != 0) one.signs[rows[k]] = -1.0;
    FrontierOptions up_to = options;
    if (std::isfinite(out.frontier.r) && out.frontier.r > 0.0)
      up_to.r_max = std::min(options.r_max, out.frontier.r + unit(out.frontier.r));
    one.frontier = frontier(family, one.signs.cwiseProduct(mu_0), one.signs.cwiseProduct(d), up_to);
    Frontier& best = out.frontier;
    const double proved = std::min(best.proved_to, one.frontier.proved_to);
    const double refuted = std::min(best.refuted_at, one.frontier.refuted_at);
    std::vector<Touch> touches = best.touches;
    for (const Touch& touch : one.frontier.touches) touches.push_back(touch);
    const bool fails = std::isfinite(one.frontier.r);
    if (fails && std::isfinite(best.r) && std::abs(one.frontier.r - best.r) <= unit(best.r) &&
        one.frontier.status == best.status) {
      tie(one, out);
    } else if (fails && (one.frontier.r < best.r || (one.frontier.status == FrontierStatus::kNotPAtStart &&
                                                     best.status == FrontierStatus::kUndecided))) {
      out = one;
    } else if (!std::isfinite(best.r) && one.frontier.status == FrontierStatus::kTouchOnly) {
      best.status = FrontierStatus::kTouchOnly;
    }
    out.frontier.proved_to = std::isfinite(out.frontier.r) ? std::min(proved, out.frontier.r) : proved;
    out.frontier.refuted_at = refuted;
    std::erase_if(touches, [&](const Touch& touch) { return !(touch.r < out.frontier.r); });
    std::sort(touches.begin(), touches.end(), [](const Touch& a, const Touch& b) { return a.r < b.r; });
    out.frontier.touches = std::move(touches);
  }
  return out;
}

}  // namespace enfold::uniqueness

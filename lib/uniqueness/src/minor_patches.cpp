// SPDX-License-Identifier: BSD-3-Clause
#include "minor_patches.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "enfold/lcp/p_matrix.hpp"

namespace enfold::uniqueness::detail {
namespace {

double binomial(int n, int k) {
  double out = 1.0;
  for (int i = 1; i <= k; ++i) out = out * (n - k + i) / i;
  return out;
}

// The rows of each group whose coefficient enters, as bits.
std::array<std::uint32_t, 2> group_masks(const FrictionFamily& family, const FrictionGroups& groups) {
  std::array<std::uint32_t, 2> out{};
  for (Index j = 0; j < family.size(); ++j) {
    const Index g = groups.group_of[static_cast<std::size_t>(j)];
    if (g >= 0 && family.enters(j)) out[static_cast<std::size_t>(g)] |= 1U << j;
  }
  return out;
}

void add_family(const PlaneProblem& problem, Index number, MinorPatches& out) {
  const FrictionFamily& family = problem.families[static_cast<std::size_t>(number)];
  const Index n = family.size();
  const std::array<std::uint32_t, 2> group = group_masks(family, problem.groups);
  const std::uint32_t tied = group[0] | group[1];
  const auto degree = [&](std::uint32_t S, std::size_t g) { return std::popcount(S & group[g]); };

  std::vector<Patch> patches(1U << n);
  for (std::uint32_t S = 1; S < 1U << n; ++S) {
    Patch& patch = patches[S];
    patch.degree = {degree(S, 0), degree(S, 1)};
    patch.b.assign(static_cast<std::size_t>((patch.degree[0] + 1) * (patch.degree[1] + 1)), 0.0);
  }
  const VectorXd lower = problem.mu(problem.lower);
  const VectorXd upper = problem.mu(problem.upper);
  lcp::PMatrixTester tester(n, {.exact_limit = n});
  VectorXd mu;
  std::uint32_t V = 0;
  do {  // every subset V of the tied rows
    mu = lower;
    for (Index j = 0; j < n; ++j)
      if ((V >> j & 1U) != 0) mu[j] = upper[j];
    (void)tester.test(family.A(mu));
    for (std::uint32_t S = 1; S < 1U << n; ++S) {
      if ((V & ~S) != 0) continue;
      Patch& patch = patches[S];
      const int i = degree(V, 0);
      const int j = degree(V, 1);
      patch.b[static_cast<std::size_t>((patch.degree[1] + 1) * i + j)] +=
          tester.minors()[S] / (binomial(patch.degree[0], i) * binomial(patch.degree[1], j));
    }
    V = (V - tied) & tied;
  } while (V != 0);

  for (std::uint32_t S = 1; S < 1U << n; ++S) {
    if (*std::min_element(patches[S].b.begin(), patches[S].b.end()) > 0.0) continue;
    patches[S].minor = static_cast<Index>(out.minors.size());
    out.minors.push_back({number, lcp::index_set(S)});
    out.patches.push_back(std::move(patches[S]));
  }
}

}  // namespace

MinorPatches make_patches(const PlaneProblem& problem) {
  MinorPatches out;
  for (Index k = 0; k < static_cast<Index>(problem.families.size()); ++k) add_family(problem, k, out);
  return out;
}

void halve(Patch& patch, int axis, int half) {
  const int degree = patch.degree[static_cast<std::size_t>(axis)];
  const int other = patch.degree[static_cast<std::size_t>(1 - axis)];
  const std::ptrdiff_t step = axis == 0 ? patch.degree[1] + 1 : 1;
  const std::ptrdiff_t line = axis == 0 ? 1 : patch.degree[1] + 1;
  for (int k = 0; k <= other; ++k) {
    double* b = patch.b.data() + k * line;
    // de Casteljau at 1/2, in place: the first column of the triangle is the lower half, the last the upper.
    for (int level = 1; level <= degree; ++level) {
      if (half == 0)
        for (int i = degree; i >= level; --i) b[i * step] = 0.5 * (b[i * step] + b[(i - 1) * step]);
      else
        for (int i = 0; i <= degree - level; ++i) b[i * step] = 0.5 * (b[i * step] + b[(i + 1) * step]);
    }
  }
}

double bernstein_value(std::span<const double> b, double u) {
  const std::size_t n = b.size();
  if (n == 1) return b[0];
  if (n == 2) return (1.0 - u) * b[0] + u * b[1];
  if (n == 3) return (1.0 - u) * ((1.0 - u) * b[0] + 2.0 * u * b[1]) + u * u * b[2];
  std::array<double, 32> work{};
  std::copy(b.begin(), b.end(), work.begin());
  for (std::size_t level = n - 1; level > 0; --level)
    for (std::size_t i = 0; i < level; ++i) work[i] = (1.0 - u) * work[i] + u * work[i + 1];
  return work[0];
}

void restrict_to_line(const Patch& patch, int axis, double u, std::vector<double>& b) {
  const int along = patch.degree[static_cast<std::size_t>(axis)];
  const int across = patch.degree[static_cast<std::size_t>(1 - axis)];
  const std::ptrdiff_t step = axis == 0 ? patch.degree[1] + 1 : 1;
  const std::ptrdiff_t line = axis == 0 ? 1 : patch.degree[1] + 1;
  b.resize(static_cast<std::size_t>(along + 1));
  std::array<double, 32> work{};
  for (int i = 0; i <= along; ++i) {
    for (int k = 0; k <= across; ++k)
      work[static_cast<std::size_t>(k)] = patch.b[static_cast<std::size_t>(i * step + k * line)];
    b[static_cast<std::size_t>(i)] = bernstein_value({work.data(), static_cast<std::size_t>(across + 1)}, u);
  }
}

int direction(const Patch& patch, int axis) {
  const int along = patch.degree[static_cast<std::size_t>(axis)];
  const int across = patch.degree[static_cast<std::size_t>(1 - axis)];
  const std::ptrdiff_t step = axis == 0 ? patch.degree[1] + 1 : 1;
  const std::ptrdiff_t line = axis == 0 ? 1 : patch.degree[1] + 1;
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  for (int k = 0; k <= across; ++k) {
    const double* b = patch.b.data() + k * line;
    for (int i = 0; i < along; ++i) {
      const double rise = b[(i + 1) * step] - b[i * step];
      least = std::min(least, rise);
      most = std::max(most, rise);
    }
  }
  if (along == 0) return 0;
  return least > 0.0 ? 1 : most < 0.0 ? -1 : 0;
}

namespace {

// One change of sign between lo and hi: regula falsi with bisection.
double polish(std::span<const double> b, double lo, double hi, double f_lo, double f_hi) {
  for (int k = 0; k < 200 && hi - lo > 1e-16; ++k) {
    double u = k % 3 == 2 ? 0.5 * (lo + hi) : (lo * f_hi - hi * f_lo) / (f_hi - f_lo);
    if (!(u > lo && u < hi)) u = 0.5 * (lo + hi);
    if (u == lo || u == hi) break;
    const double f = bernstein_value(b, u);
    if (f == 0.0) return u;
    if ((f > 0.0) == (f_lo > 0.0)) {
      lo = u;
      f_lo = f;
    } else {
      hi = u;
      f_hi = f;
    }
  }
  return 0.5 * (lo + hi);
}

int sign_variations(std::span<const double> b) {
  int out = 0;
  double last = 0.0;
  for (const double value : b) {
    if (value == 0.0) continue;
    if (last != 0.0 && (value > 0.0) != (last > 0.0)) ++out;
    last = value;
  }
  return out;
}

void isolate(std::span<const double> whole, const Patch& part, double lo, double hi, int depth,
             std::vector<double>& roots) {
  const int variations = sign_variations(part.b);
  if (variations == 0) return;
  const double f_lo = part.b.front();
  const double f_hi = part.b.back();
  if ((variations == 1 || depth == 0) && f_lo * f_hi < 0.0) {
    roots.push_back(polish(whole, lo, hi, f_lo, f_hi));
    return;
  }
  if (depth == 0) return;  // a double root, to rounding: no change of sign
  const double middle = 0.5 * (lo + hi);
  for (const int half : {0, 1}) {
    Patch child = part;
    halve(child, 0, half);
    isolate(whole, child, half == 0 ? lo : middle, half == 0 ? middle : hi, depth - 1, roots);
  }
}

}  // namespace

void append_sign_changes(std::span<const double> b, std::vector<double>& roots) {
  const int variations = sign_variations(b);
  if (variations == 0) return;
  if (variations == 1 && b.front() * b.back() < 0.0) {
    roots.push_back(polish(b, 0.0, 1.0, b.front(), b.back()));
    return;
  }
  Patch line;
  line.degree = {static_cast<int>(b.size()) - 1, 0};
  line.b.assign(b.begin(), b.end());
  isolate(b, line, 0.0, 1.0, 40, roots);
}

}  // namespace enfold::uniqueness::detail

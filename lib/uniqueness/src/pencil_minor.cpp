// SPDX-License-Identifier: BSD-3-Clause
#include "pencil_minor.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

namespace enfold::uniqueness::detail {
namespace {

// Roots nearer to each other or to the real axis than this are looked at together: a double root comes out of
// the eigenvalues as a pair that is √ε apart, a triple root with ε^⅓.
constexpr double kCluster = 1e-4;

// Below this part of Hadamard's bound the rounding of the entries themselves hides a determinant's sign.
constexpr long double kDataNoise = 4e-16L;

}  // namespace

PencilMinor::PencilMinor(const MatrixXd& P, const MatrixXd& Q, double touch_tol)
    : P_{P}, Q_{Q}, touch_tol_{touch_tol}, work_(static_cast<std::size_t>(P.size())) {
  S_.reserve(static_cast<std::size_t>(P.rows()));
}

void PencilMinor::select(std::uint32_t mask) {
  S_.clear();
  for (Index i = 0; i < P_.rows(); ++i)
    if ((mask >> i & 1U) != 0) S_.push_back(i);
}

// Columns of Q that vanish leave det(I + r P⁻¹Q) to the block of the others.
std::vector<double> PencilMinor::candidates() const {
  const MatrixXd P_SS = P_(S_, S_);
  const MatrixXd Q_SS = Q_(S_, S_);
  std::vector<Index> T;  // places in S
  for (Index j = 0; j < Q_SS.cols(); ++j)
    if (!Q_SS.col(j).isZero(0.0)) T.push_back(j);
  std::vector<double> roots;
  if (T.empty()) return roots;
  const MatrixXd Q_T = Q_SS(Eigen::all, T);
  const MatrixXd solved = P_SS.partialPivLu().solve(Q_T);
  const MatrixXd K = solved(T, Eigen::all);
  if (!K.allFinite()) return roots;
  const double zero = 1e-14 * K.norm();
  const auto add = [&roots, zero](std::complex<double> eigenvalue) {
    if (std::abs(eigenvalue) <= zero) return;
    const std::complex<double> r = -1.0 / eigenvalue;
    if (std::isfinite(r.real()) && r.real() > 0.0 && std::abs(r.imag()) <= kCluster * r.real())
      roots.push_back(r.real());
  };
  if (K.rows() == 1) {
    add(K(0, 0));
  } else {
    const Eigen::VectorXcd eigenvalues = K.eigenvalues();
    for (const std::complex<double>& eigenvalue : eigenvalues) add(eigenvalue);
  }
  std::sort(roots.begin(), roots.end());
  return roots;
}

// Gaussian elimination with row exchanges on work_.
PencilMinor::Value PencilMinor::eliminate() {
  const std::size_t n = S_.size();
  Value out{1.0L, 1.0L};
  for (std::size_t j = 0; j < n; ++j) {
    long double norm = 0;
    for (std::size_t i = 0; i < n; ++i) norm += work_[j * n + i] * work_[j * n + i];
    out.bound *= std::sqrt(norm);
  }
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t p = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(work_[k * n + i]) > std::abs(work_[k * n + p])) p = i;
    const long double pivot = work_[k * n + p];
    out.det *= pivot;
    if (pivot == 0.0L) return out;
    if (p != k) {
      out.det = -out.det;
      for (std::size_t j = k; j < n; ++j) std::swap(work_[j * n + k], work_[j * n + p]);
    }
    for (std::size_t i = k + 1; i < n; ++i) {
      const long double l = work_[k * n + i] / pivot;
      for (std::size_t j = k + 1; j < n; ++j) work_[j * n + i] -= l * work_[j * n + k];
    }
  }
  return out;
}

PencilMinor::Value PencilMinor::value(long double r) {
  std::size_t at = 0;
  for (const Index j : S_)
    for (const Index i : S_)
      work_[at++] = static_cast<long double>(P_(i, j)) + r * static_cast<long double>(Q_(i, j));
  return eliminate();
}

// d/dr of the determinant: the sum over the columns, each replaced by that of Q.
long double PencilMinor::slope(long double r) {
  long double sum = 0;
  for (const Index replaced : S_) {
    std::size_t at = 0;
    for (const Index j : S_) {
      for (const Index i : S_) {
        const auto Q_ij = static_cast<long double>(Q_(i, j));
        work_[at++] = j == replaced ? Q_ij : static_cast<long double>(P_(i, j)) + r * Q_ij;
      }
    }
    sum += eliminate().det;
  }
  return sum;
}

bool PencilMinor::negative(long double r) {
  const Value v = value(r);
  return v.det < -static_cast<long double>(touch_tol_) * v.bound;
}

bool PencilMinor::hidden(const Value& v) const {
  return std::abs(v.det) <= kDataNoise * static_cast<long double>(S_.size()) * v.bound;
}

// The root in (lo, hi), positive at lo and negative at hi: brackets grown around the guess, then bisection.
double PencilMinor::polish(double lo, double hi, double guess) {
  guess = std::clamp(guess, lo, hi);
  for (double width = 1e-14 * guess; width > 0.0; width *= 32.0) {
    const double left = std::max(lo, guess - width);
    const double right = std::min(hi, guess + width);
    if (value(left).det > 0.0L && value(right).det <= 0.0L) {
      lo = left;
      hi = right;
      break;
    }
    if (left == lo && right == hi) break;
  }
  long double a = lo;
  long double b = hi;
  for (int k = 0; k < 200 && b - a > 1e-17L * b; ++k) {
    const long double middle = 0.5L * (a + b);
    if (middle <= a || middle >= b) break;
    (value(middle).det > 0.0L ? a : b) = middle;
  }
  return static_cast<double>(0.5L * (a + b));
}

// Where the minor has a minimum near the roots first … last; none if it is monotone there.
std::optional<double> PencilMinor::minimum(double lo, double hi, double first, double last) {
  for (double width = 1e-7 * last;; width *= 8.0) {
    long double a = std::max(lo, first - width);
    long double b = std::min(hi, last + width);
    if (slope(a) < 0.0L && slope(b) > 0.0L) {
      for (int k = 0; k < 200 && b - a > 1e-18L * b; ++k) {
        const long double middle = 0.5L * (a + b);
        if (middle <= a || middle >= b) break;
        (slope(middle) < 0.0L ? a : b) = middle;
      }
      return static_cast<double>(0.5L * (a + b));
    }
    if (a <= static_cast<long double>(lo) && b >= static_cast<long double>(hi)) return std::nullopt;
  }
}

MinorLoss PencilMinor::first_loss(double r_stop) {
  MinorLoss out;
  out.proved_to = std::numeric_limits<double>::infinity();
  const std::vector<double> roots = candidates();
  double lo = 0.0;  // the minor is positive here, and nowhere below has it changed its sign
  const auto set_crossing = [&](double left, double right, double guess) {
    out.crossing = polish(left, right, guess);
    out.proved_to = std::min(out.proved_to, *out.crossing);
  };
  for (std::size_t begin = 0, end = 0; begin < roots.size(); begin = end) {
    while (end < roots.size() && (end == begin || roots[end] - roots[end - 1] <= kCluster * roots[end]))
      ++end;
    const double first = roots[begin];
    const double last = roots[end - 1];
    if (first > (1.0 + kCluster) * r_stop) break;
    // Behind a cluster and before the next the sign is plain; not too far behind, where rounding grows.
    double hi = 2.0 * last;
    if (end < roots.size()) hi = std::min(hi, 0.5 * (last + roots[end]));
    if (!std::isfinite(hi)) {
      out.proved_to = std::min(out.proved_to, first * (1.0 - kCluster));
      break;
    }
    if (end - begin > 2) {  // several roots at almost one place: the first dip among them, by a scan
      constexpr int kPoints = 256;
      const double left = std::max(lo, first * (1.0 - kCluster));
      double before = lo;
      for (int k = 0; k <= kPoints; ++k) {
        const double at = std::min(hi, left + k * (last * (1.0 + kCluster) - left) / kPoints);
        if (negative(at)) {
          set_crossing(before, at, 0.5 * (before + at));
          return out;
        }
        before = at;
      }
    }
    Value behind = value(hi);
    for (int k = 0; k < 3 && hidden(behind); ++k) {
      hi = last + 0.0625 * (hi - last);
      behind = value(hi);
    }
    if (hidden(behind)) {
      out.proved_to = std::min(out.proved_to, first * (1.0 - kCluster));
      continue;
    }
    if (behind.det < 0.0L) {
      set_crossing(lo, hi, end - begin == 1 ? first : 0.5 * (first + last));
      return out;
    }
    if (const std::optional<double> at = minimum(lo, hi, first, last)) {
      const Value v = value(*at);
      const long double tol = static_cast<long double>(touch_tol_) * v.bound;
      if (v.det < -tol) {
        set_crossing(lo, *at, first);
        return out;
      }
      if (v.det <= tol) out.touches.push_back(*at);
    }
    lo = hi;
  }
  return out;
}

}  // namespace enfold::uniqueness::detail

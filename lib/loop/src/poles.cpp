// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/loop/poles.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "enfold/base/require.hpp"

namespace enfold::loop {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// A delay of j periods leaves zeros of multiplicity j, which come out as the j-th root of rounding.
constexpr double kDeadBeat = 1e-6;
// Eigenvalues of a double pole are known to the root of rounding.
constexpr double kGrowth = 1e-9;

}  // namespace

double Pole::damping_ratio() const {
  return dead_beat || std::abs(s) == 0.0 ? 1.0 : -s.real() / std::abs(s);
}

double Pole::settling_time() const {
  if (dead_beat) return 0.0;
  return s.real() < 0.0 ? std::log(50.0) / -s.real() : kInfinity;
}

std::vector<Pole> poles(const MatrixXd& closed, double period) {
  ENFOLD_REQUIRE(closed.rows() == closed.cols() && closed.allFinite() && period >= 0.0,
                 "poles: the matrix is {} × {}{}, the period {} s", closed.rows(), closed.cols(),
                 closed.allFinite() ? "" : " and not finite", period);
  std::vector<Pole> out;
  if (closed.rows() == 0) return out;
  for (const std::complex<double>& value : closed.eigenvalues()) {
    Pole pole;
    if (period == 0.0) {
      pole.s = value;
    } else if (std::abs(value) < kDeadBeat) {
      pole.s = -kInfinity;
      pole.dead_beat = true;
    } else {
      pole.z = value;
      pole.s = std::log(value) / period;
    }
    out.push_back(pole);
  }
  std::sort(out.begin(), out.end(), [](const Pole& a, const Pole& b) {
    return a.s.real() != b.s.real() ? a.s.real() > b.s.real() : a.s.imag() > b.s.imag();
  });
  return out;
}

bool stable(const std::vector<Pole>& poles) {
  return std::all_of(poles.begin(), poles.end(), [](const Pole& pole) {
    if (pole.dead_beat) return true;
    return pole.z == 0.0 ? pole.s.real() < -kGrowth : std::abs(pole.z) < 1.0 - kGrowth;
  });
}

double distance(const std::vector<std::complex<double>>& wanted, const std::vector<Pole>& given) {
  std::vector<bool> used(given.size(), false);
  double worst = 0.0;
  for (const std::complex<double>& s : wanted) {
    double nearest = kInfinity;
    std::size_t choice = 0;
    for (std::size_t i = 0; i < given.size(); ++i) {
      const double gap = std::abs(given[i].s - s);
      if (used[i] || given[i].dead_beat || gap >= nearest) continue;
      nearest = gap;
      choice = i;
    }
    if (!std::isfinite(nearest)) return kInfinity;
    used[choice] = true;
    worst = std::max(worst, nearest / std::abs(s));
  }
  return worst;
}

std::string to_text(const std::complex<double>& pole) {
  if (!std::isfinite(pole.real())) return "dead beat";
  if (std::abs(pole.imag()) <= 1e-6 * std::abs(pole)) return fmt::format("{:.4g}", pole.real());
  return fmt::format("{:.4g} ± {:.4g}i", pole.real(), std::abs(pole.imag()));
}

}  // namespace enfold::loop

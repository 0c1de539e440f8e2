// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/sim/contact_stability.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>

#include "enfold/base/require.hpp"

namespace enfold::sim {
namespace {

using contact::ContactMode;

/// z̈ = −A (K z + C ż) of the contacts that press.
struct ContactDynamics {
  MatrixXd A;
  VectorXd K, C;
  std::vector<Index> normal_row;  // of each pressing contact: its number, in the order of the first rows
};

ContactDynamics contact_dynamics(const CompliantPlant& plant) {
  const contact::ContactKinematics& kinematics = plant.kinematics();
  ContactDynamics out;
  std::vector<Index> rolling;
  for (Index i = 0; i < kinematics.gap.size(); ++i) {
    const ContactMode mode = plant.modes()[static_cast<std::size_t>(i)];
    if (mode == ContactMode::kOpen) continue;
    out.normal_row.push_back(i);
    if (mode == ContactMode::kRoll && plant.model().mu[i] > 0.0) rolling.push_back(i);
  }
  if (out.normal_row.empty()) return out;
  const auto n_N = static_cast<Index>(out.normal_row.size());
  const Index n_z = n_N + static_cast<Index>(rolling.size());
  MatrixXd W_z(kinematics.W_N.rows(), n_z);
  MatrixXd W_f(kinematics.W_N.rows(), n_z);
  out.K.resize(n_z);
  out.C.resize(n_z);
  for (Index r = 0; r < n_z; ++r) {
    const bool normal = r < n_N;
    const Index i =
        normal ? out.normal_row[static_cast<std::size_t>(r)] : rolling[static_cast<std::size_t>(r - n_N)];
    const contact::NormalForce& force = plant.normal_forces()[static_cast<std::size_t>(i)];
    W_z.col(r) = normal ? kinematics.W_N.col(i) : kinematics.W_T.col(i);
    W_f.col(r) = W_z.col(r);
    if (normal)
      W_f.col(r) -=
          slip_sign(plant.modes()[static_cast<std::size_t>(i)]) * plant.model().mu[i] * kinematics.W_T.col(i);
    out.K[r] = normal ? force.d_delta : plant.law(i).tangential.stiffness;
    out.C[r] = normal ? force.d_rate : plant.law(i).tangential.damping;
  }
  out.A = W_z.transpose() * plant.dynamics().M.llt().solve(W_f);
  return out;
}

/// Names the shape of a mode and says how symmetric it is.
void name_mode(const std::vector<std::string>& names, const ContactStabilityOptions& options,
               std::span<const std::pair<Index, Index>> pairs, ContactStability& out) {
  double even = 0.0;
  double odd = 0.0;
  double rest = out.shape.squaredNorm();
  for (const auto& [a, b] : pairs) {
    even += 0.5 * std::pow(out.shape[a] + out.shape[b], 2);
    odd += 0.5 * std::pow(out.shape[a] - out.shape[b], 2);
    rest -= out.shape[a] * out.shape[a] + out.shape[b] * out.shape[b];
  }
  const double all = even + odd + std::max(0.0, rest);
  out.symmetry = ModeSymmetry::kMixed;
  if (even + odd > 0.0 && all - odd <= options.symmetry_tol * all)
    out.symmetry = ModeSymmetry::kAntisymmetric;
  if (even + odd > 0.0 && all - even <= options.symmetry_tol * all) out.symmetry = ModeSymmetry::kSymmetric;
  if (out.symmetry != ModeSymmetry::kMixed) {
    out.mode = out.symmetry == ModeSymmetry::kSymmetric ? "symmetric" : "antisymmetric";
    return;
  }
  out.mode.clear();
  for (Index i = 0; i < out.shape.size(); ++i) {
    if (std::abs(out.shape[i]) < 0.5) continue;
    out.mode += fmt::format("{}{}{}", out.mode.empty() ? "mostly " : ", ", out.shape[i] < 0.0 ? "−" : "",
                            names[static_cast<std::size_t>(i)]);
  }
}

}  // namespace

std::vector<std::pair<Index, Index>> mirror_pairs(std::span<const std::string> names) {
  std::vector<std::pair<Index, Index>> pairs;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::size_t where = names[i].find("left");
    if (where == std::string::npos) continue;
    std::string image = names[i];
    image.replace(where, 4, "right");
    const auto found = std::find(names.begin(), names.end(), image);
    if (found != names.end()) pairs.emplace_back(static_cast<Index>(i), found - names.begin());
  }
  return pairs;
}

ContactStability contact_stability(const CompliantPlant& plant, const ContactStabilityOptions& options) {
  const std::vector<std::string>& names = plant.model().contacts->names();
  const auto n_C = static_cast<Index>(names.size());
  ENFOLD_REQUIRE(options.control_bandwidth > 0.0,
                 "contact_stability: control_bandwidth is {} rad/s, expected > 0", options.control_bandwidth);
  for (const auto& [a, b] : options.mirror_pairs)
    ENFOLD_REQUIRE(a >= 0 && b >= 0 && a < n_C && b < n_C, "contact_stability: pair ({}, {}) of {} contacts",
                   a, b, n_C);
  ContactStability out;
  out.shape = VectorXd::Zero(n_C);
  const ContactDynamics z = contact_dynamics(plant);
  if (z.normal_row.empty()) return out;

  const Index n = z.A.rows();
  MatrixXd companion = MatrixXd::Zero(2 * n, 2 * n);
  companion.topRightCorner(n, n).setIdentity();
  companion.bottomLeftCorner(n, n) = -z.A * z.K.asDiagonal();
  companion.bottomRightCorner(n, n) = -z.A * z.C.asDiagonal();
  const Eigen::EigenSolver<MatrixXd> solver(companion);
  std::vector<Index> order(static_cast<std::size_t>(2 * n));
  std::iota(order.begin(), order.end(), 0);
  const Eigen::VectorXcd& values = solver.eigenvalues();
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    return values[a].real() != values[b].real() ? values[a].real() > values[b].real()
                                                : values[a].imag() > values[b].imag();
  });
  out.eigenvalues.resize(2 * n);
  for (Index r = 0; r < 2 * n; ++r) out.eigenvalues[r] = values[order[static_cast<std::size_t>(r)]];

  // Change of force in the leading mode: K z + C ż, turned so that its largest entry is real.
  const std::complex<double> s = out.eigenvalues[0];
  out.growth = s.real();
  out.frequency = std::abs(s.imag());
  const Eigen::VectorXcd mode = solver.eigenvectors().col(order.front());
  Eigen::VectorXcd force = Eigen::VectorXcd::Zero(n_C);
  for (std::size_t r = 0; r < z.normal_row.size(); ++r) {
    const auto row = static_cast<Index>(r);
    force[z.normal_row[r]] = -(z.K[row] + s * z.C[row]) * mode[row];
  }
  Index largest = 0;
  const double size = force.cwiseAbs().maxCoeff(&largest);
  if (size > 0.0) out.shape = (force / force[largest]).real();
  const std::vector<std::pair<Index, Index>> found =
      options.mirror_pairs.empty() ? mirror_pairs(names) : options.mirror_pairs;
  name_mode(names, options, found, out);

  out.status = ContactStabilityStatus::kStable;
  if (out.growth <= options.growth_tol * values.cwiseAbs().maxCoeff()) return out;
  const bool fast = out.growth > options.control_bandwidth;
  out.status = fast ? ContactStabilityStatus::kFastGrowth : ContactStabilityStatus::kSlowGrowth;
  out.warning =
      fmt::format("{}, grows {:.3g} 1/s{}, {} than the {:.3g} rad/s force loop", out.mode, out.growth,
                  out.frequency > options.growth_tol * out.growth
                      ? fmt::format(" while it oscillates at {:.3g} rad/s", out.frequency)
                      : "",
                  fast ? "faster" : "slower", options.control_bandwidth);
  return out;
}

}  // namespace enfold::sim

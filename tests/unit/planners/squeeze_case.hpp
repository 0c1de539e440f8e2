// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "enfold/planners/squeeze_program.hpp"
#include "enfold/test/paper_hand.hpp"

namespace enfold::test {

/// The paper's hand at one instant with given modes, a wrench to be exerted, and torques of the motion.
struct SqueezeCase {
  PaperHand hand;
  std::vector<ContactMode> modes;
  VectorXd mu, lambda_0, tau_0, floors;
  grasp::GraspMatrices grasp;
  MatrixXd G_null;

  [[nodiscard]] planners::SqueezeInstant instant() const {
    return {grasp, modes, mu, G_null, lambda_0, tau_0, floors};
  }
  [[nodiscard]] planners::SqueezeProgram program(
      planners::Objective objective = planners::Objective::kNormals,
      planners::SqueezeLimits limits = {}) const {
    return {objective, std::move(limits), hand.contacts->names(), hand.mechanism->joint_names()};
  }
  [[nodiscard]] planners::Squeeze solve(planners::Objective objective = planners::Objective::kNormals,
                                        planners::SqueezeLimits limits = {}) const {
    return program(objective, std::move(limits)).solve(instant());
  }
  [[nodiscard]] Index p() const { return G_null.cols(); }
};

struct SqueezeCaseOptions {
  std::vector<ContactMode> modes{4, ContactMode::kSlidePlus};
  Eigen::Vector3d pose{0.0, 0.15, 1.4};
  double mu_from = 0.1, mu_to = 0.1;
  double floor = 0.5;   ///< [N]; every contact's is up to 20 % higher
  double wrench = 1.0;  ///< size of the random wrench [N], [0.1 N·m]
};

inline SqueezeCase squeeze_case(const SqueezeCaseOptions& options, std::uint64_t seed) {
  const CounterRandom random(seed, 7);
  SqueezeCase c;
  c.hand = paper_hand();
  c.modes = options.modes;
  const VectorXd unit = random_vector(random, 0, 4).array() * 0.5 + 0.5;
  c.mu = options.mu_from + (options.mu_to - options.mu_from) * unit.array();
  c.floors = options.floor * (1.0 + 0.2 * (random_vector(random, 4, 4).array() * 0.5 + 0.5));
  c.tau_0 = random_vector(random, 8, 4, 0.2);
  const VectorXd q = c.hand.closed(VectorXd(options.pose));
  grasp::assemble(c.hand.kinematics(q, VectorXd::Zero(q.size())), c.modes, c.mu, 3, c.grasp);
  const VectorXd wrench =
      Eigen::Vector3d(1.0, 1.0, 0.1).cwiseProduct(random_vector(random, 12, 3, options.wrench));
  c.lambda_0 = c.grasp.G.completeOrthogonalDecomposition().solve(wrench);
  // Any orthonormal basis: the last columns of V of the singular value decomposition.
  const Eigen::JacobiSVD<MatrixXd> svd(c.grasp.G, Eigen::ComputeFullV);
  c.G_null = svd.matrixV().rightCols(c.grasp.k() - 3);
  return c;
}

/// a · z + c, z = α, or [α ; s].
struct Affine {
  VectorXd a;
  double c = 0.0;
  [[nodiscard]] double at(const VectorXd& z) const { return a.dot(z.head(a.size())) + c; }
};

inline Affine combine(double x, const Affine& f, double y, const Affine& g) {
  return {x * f.a + y * g.a, x * f.c + y * g.c};
}

/// Where contact i's normal force is in the stack [λ_NS ; λ_NR ; λ_TR], by counting.
inline Index place_of(const SqueezeCase& c, Index i) {
  Index place = 0;
  const bool rolls = c.modes[static_cast<std::size_t>(i)] == ContactMode::kRoll;
  for (Index j = 0; j < 4; ++j) {
    const bool other_rolls = c.modes[static_cast<std::size_t>(j)] == ContactMode::kRoll;
    if ((!other_rolls && rolls) || (other_rolls == rolls && j < i)) ++place;
  }
  return place;
}

inline Affine normal_force(const SqueezeCase& c, Index i) {
  const Index row = place_of(c, i);
  return {c.G_null.row(row).transpose(), c.lambda_0[row]};
}

inline Affine tangential_force(const SqueezeCase& c, Index i) {
  const ContactMode mode = c.modes[static_cast<std::size_t>(i)];
  if (mode == ContactMode::kRoll) {
    const Index n_R = std::count(c.modes.begin(), c.modes.end(), ContactMode::kRoll);
    const Index row = place_of(c, i) + n_R;
    return {c.G_null.row(row).transpose(), c.lambda_0[row]};
  }
  const Affine normal = normal_force(c, i);
  const double factor = mode == ContactMode::kSlidePlus ? -c.mu[i] : c.mu[i];
  return {factor * normal.a, factor * normal.c};
}

inline Affine torque(const SqueezeCase& c, Index j) {
  return {(c.grasp.J.col(j).transpose() * c.G_null).transpose(), c.tau_0[j]};
}

/// f(z) ≥ 0.
using Halfspaces = std::vector<Affine>;

inline Affine above(Affine f, double bound) {
  f.c -= bound;
  return f;
}
inline Affine below(const Affine& f, double bound) {
  return {-f.a, bound - f.c};
}

/// The requirements of (16) and (17) as checklist rows 11 and 13 read them, and the limits.
/// Order: four floors, then μ λ_N + λ_T and μ λ_N − λ_T of every rolling contact, then limits.
inline Halfspaces requirements(const SqueezeCase& c, const planners::SqueezeLimits& limits = {}) {
  Halfspaces out;
  for (Index i = 0; i < 4; ++i) out.push_back(above(normal_force(c, i), c.floors[i]));
  for (Index i = 0; i < 4; ++i) {
    if (c.modes[static_cast<std::size_t>(i)] != ContactMode::kRoll) continue;
    for (const double sign : {1.0, -1.0})
      out.push_back(combine(c.mu[i], normal_force(c, i), sign, tangential_force(c, i)));
  }
  if (std::isfinite(limits.max_normal))
    for (Index i = 0; i < 4; ++i) out.push_back(below(normal_force(c, i), limits.max_normal));
  if (std::isfinite(limits.max_torque)) {
    for (Index j = 0; j < 4; ++j) {
      out.push_back(below(torque(c, j), limits.max_torque));
      out.push_back(above(torque(c, j), -limits.max_torque));
    }
  }
  return out;
}

/// Every corner of {z : f(z) ≥ 0 for all f}: each choice of n of them as equations.
inline std::vector<VectorXd> corners(const Halfspaces& all, Index n) {
  std::vector<VectorXd> out;
  std::vector<bool> chosen(all.size(), false);
  std::fill(chosen.begin(), chosen.begin() + n, true);
  do {
    MatrixXd A(n, n);
    VectorXd b(n);
    Index row = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!chosen[i]) continue;
      A.row(row) = all[i].a.transpose();
      b[row++] = -all[i].c;
    }
    const Eigen::FullPivLU<MatrixXd> lu(A);
    if (lu.rcond() < 1e-12) continue;
    const VectorXd z = lu.solve(b);
    if (std::all_of(all.begin(), all.end(), [&](const Affine& f) { return f.at(z) >= -1e-9; }))
      out.push_back(z);
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return out;
}

struct BestCorner {
  VectorXd z;
  double cost = std::numeric_limits<double>::infinity();
};

inline std::optional<BestCorner> best_corner(const Halfspaces& all, Index n,
                                             const std::function<double(const VectorXd&)>& cost) {
  BestCorner best;
  for (const VectorXd& z : corners(all, n))
    if (cost(z) < best.cost) best = {z, cost(z)};
  if (best.z.size() == 0) return std::nullopt;
  return best;
}

inline double sum_of_normals(const SqueezeCase& c, const VectorXd& alpha) {
  double sum = 0.0;
  for (Index i = 0; i < 4; ++i) sum += normal_force(c, i).at(alpha);
  return sum;
}

/// μ λ_N − |λ_T| of contact i.
inline double slack(const SqueezeCase& c, Index i, const VectorXd& alpha) {
  return c.mu[i] * normal_force(c, i).at(alpha) - std::abs(tangential_force(c, i).at(alpha));
}

inline std::vector<Index> rolling(const SqueezeCase& c) {
  std::vector<Index> out;
  for (Index i = 0; i < 4; ++i)
    if (c.modes[static_cast<std::size_t>(i)] == ContactMode::kRoll) out.push_back(i);
  return out;
}

/// Four contacts of which those of the mask roll (bit i: contact i) and the others slide, plus and minus in
/// turn.
inline std::vector<ContactMode> rolling_mask(unsigned mask) {
  std::vector<ContactMode> modes;
  for (unsigned i = 0; i < 4; ++i)
    modes.push_back((mask >> i) & 1U ? ContactMode::kRoll
                    : i % 2 == 0     ? ContactMode::kSlidePlus
                                     : ContactMode::kSlideMinus);
  return modes;
}

/// 1R+3S (p = 2) and 2R+2S (p = 3): the masks of S4's cases (b) and (a).
inline constexpr unsigned kRollingMasks[] = {0b0001, 0b0010, 0b0100, 0b1000, 0b0011,
                                             0b0101, 0b1001, 0b0110, 0b1010, 0b1100};

}  // namespace enfold::test

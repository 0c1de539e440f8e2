// SPDX-License-Identifier: BSD-3-Clause
// The matrices against motion itself: points that are fixed in the object and in a link are moved by finite
// displacements with a forward kinematics of the test's own.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "enfold/grasp/grasp_matrices.hpp"
#include "enfold/grasp/internal_forces.hpp"
#include "enfold/test/matchers.hpp"
#include "enfold/test/paper_hand.hpp"

namespace enfold::grasp {
namespace {

using test::ContactMode;
using test::EigenNear;
using test::PaperHand;

constexpr double kStep = 1e-5;

/// Pose of link l (two links of 0.2 m per arm) at joint angles in q.
Eigen::Isometry2d link_pose(const VectorXd& q, Index l) {
  const Index first = l - l % 2;
  Eigen::Isometry2d pose =
      Eigen::Translation2d(first == 0 ? -0.05 : 0.05, 0.0) * Eigen::Rotation2Dd(q[3 + first]);
  if (l != first) pose = pose * Eigen::Translation2d(0.2, 0.0) * Eigen::Rotation2Dd(q[3 + l]);
  return pose;
}

Eigen::Isometry2d object_pose(const VectorXd& q) {
  return Eigen::Translation2d(q[0], q[1]) * Eigen::Rotation2Dd(q[2]);
}

/// Velocity of the object's material point relative to the link's one where they touch, by central
/// differences.
Vector2d relative_velocity(const PaperHand& hand, const VectorXd& q, const VectorXd& v, Index i) {
  const contact::ContactFrame frame = hand.contacts->frame(q, i);
  const Vector2d on_object = object_pose(q).inverse() * Vector2d(frame.object_point);
  const Vector2d on_link = link_pose(q, frame.link).inverse() * Vector2d(frame.link_point);
  const auto distance = [&](const VectorXd& at) -> Vector2d {
    return object_pose(at) * on_object - link_pose(at, frame.link) * on_link;
  };
  return (distance(q + kStep * v) - distance(q - kStep * v)) / (2.0 * kStep);
}

struct Drawn {
  VectorXd q, v, mu;
  std::vector<ContactMode> modes;
  GraspMatrices grasp;
};

Drawn draw(const PaperHand& hand, const CounterRandom& random, std::uint64_t n) {
  Drawn d;
  d.q = hand.random_closed(random, n);
  d.v = test::random_vector(random, 5000 + 20 * n, 7);
  d.mu = test::random_vector(random, 9000 + 20 * n, 4, 0.5).cwiseAbs();
  d.modes = test::mode_combination(static_cast<int>((n * 41) % 256), 4);
  assemble(hand.kinematics(d.q, d.v), d.modes, d.mu, 3, d.grasp);
  return d;
}

// Power balance for any forces and any velocities: λᵀ(Gᵀẋ − Jθ̇) is the power of the contact forces on the
// points they act on.                                                                            [eq:S4.5]
// [eq:S4.6]
TEST(VirtualWorkTest, StackedForcesDoTheWorkOfTheContactForces) {
  const CounterRandom random(21, 0);
  for (const double radius : {0.0, 0.012}) {
    const PaperHand hand = test::paper_hand({.radius = radius});
    for (std::uint64_t n = 0; n < 60; ++n) {
      const Drawn d = draw(hand, random, n);
      const VectorXd lambda = test::random_vector(random, 20000 + 20 * n, d.grasp.k());
      VectorXd lambda_N;
      VectorXd lambda_T;
      spread_forces(d.grasp, d.modes, d.mu, lambda, lambda_N, lambda_T);
      double power = 0.0;
      for (Index i = 0; i < 4; ++i) {
        const contact::ContactFrame frame = hand.contacts->frame(d.q, i);
        const Vector2d force = lambda_N[i] * frame.normal + lambda_T[i] * frame.tangents.col(0);
        power += force.dot(relative_velocity(hand, d.q, d.v, i));
      }
      const double stacked = lambda.dot(d.grasp.G.transpose() * d.v.head(3) - d.grasp.J * d.v.tail(4));
      EXPECT_NEAR(stacked, power, 1e-9) << "seed 21, draw " << n;
    }
  }
}

// φ̇ = W̃ᵀ v: rates of gaps, by differences of the gaps, and of slip, by differences of points. [eq:S4.7]
TEST(VirtualWorkTest, FrictionlessRowsAreTheRatesOfGapAndSlip) {
  const CounterRandom random(22, 0);
  const PaperHand hand = test::paper_hand({.radius = 0.012});
  for (std::uint64_t n = 0; n < 40; ++n) {
    const Drawn d = draw(hand, random, n);
    const VectorXd rate = d.grasp.W_tilde().transpose() * d.v;
    const VectorXd gap_rate =
        (hand.kinematics(d.q + kStep * d.v, d.v).gap - hand.kinematics(d.q - kStep * d.v, d.v).gap) /
        (2.0 * kStep);
    for (Index c = 0; c < d.grasp.n_C(); ++c) {
      const Index i = c < d.grasp.n_S() ? d.grasp.sliding[static_cast<std::size_t>(c)]
                                        : d.grasp.rolling[static_cast<std::size_t>(c - d.grasp.n_S())];
      EXPECT_NEAR(rate[c], gap_rate[i], 1e-9) << "seed 22, draw " << n;
    }
    for (Index r = 0; r < d.grasp.n_R(); ++r) {
      const Index i = d.grasp.rolling[static_cast<std::size_t>(r)];
      const double slip =
          hand.contacts->frame(d.q, i).tangents.col(0).dot(relative_velocity(hand, d.q, d.v, i));
      EXPECT_NEAR(rate[d.grasp.n_C() + r], slip, 1e-9) << "seed 22, draw " << n;
    }
  }
}

// bias = d(W̃ᵀ)/dt·v: route 2's W̃ at two neighbouring configurations of the motion q + t v. [eq:S4.7]
TEST(VirtualWorkTest, BiasIsTheDerivativeOfTheRowsAlongTheMotion) {
  const CounterRandom random(23, 0);
  for (const double radius : {0.0, 0.012}) {
    const PaperHand hand = test::paper_hand({.radius = radius});
    for (std::uint64_t n = 0; n < 60; ++n) {
      const Drawn d = draw(hand, random, n);
      const auto rows = [&](double t) -> VectorXd {
        return assemble_from_frames(*hand.mechanism, *hand.contacts, d.q + t * d.v, d.modes, d.mu)
                   .W_tilde()
                   .transpose() *
               d.v;
      };
      // Two central differences, extrapolated: error O(h⁴).
      const double h = 1e-3;
      const VectorXd coarse = (rows(h) - rows(-h)) / (2.0 * h);
      const VectorXd fine = (rows(h / 2) - rows(-h / 2)) / h;
      EXPECT_THAT(d.grasp.bias, EigenNear(VectorXd((4.0 * fine - coarse) / 3.0), 1e-8))
          << "seed 23, draw " << n;
    }
  }
}

// θ̇ = H̃ ẋ keeps all gaps closed: along it the gap grows with the square of the step, not with the step.
// [eq:S4.8]
TEST(VirtualWorkTest, JointVelocitiesFromObjectVelocityKeepTheHandClosed) {
  const CounterRandom random(24, 0);
  const PaperHand hand = test::paper_hand({.radius = 0.012});
  for (std::uint64_t n = 0; n < 20; ++n) {
    Drawn d = draw(hand, random, n);
    d.modes.assign(4, ContactMode::kSlidePlus);
    assemble(hand.kinematics(d.q, d.v), d.modes, d.mu, 3, d.grasp);
    d.v.tail(4) = d.grasp.J_tilde.lu().solve(d.grasp.G_tilde.transpose() * d.v.head(3));
    const auto gap = [&](double t) { return hand.kinematics(d.q + t * d.v, d.v).gap.norm(); };
    EXPECT_LT(gap(0.0), 1e-12);
    EXPECT_NEAR(gap(1e-4) / gap(5e-5), 4.0, 0.02) << "seed 24, draw " << n;
  }
}

// Hᵀ = G J⁻ᵀ undoes Jᵀ G⁺ and annihilates Jᵀ G°, so that (10) splits into motion and squeeze. Jᵀ G⁺ is not
// the Moore-Penrose inverse of Hᵀ: the two differ within the range of Jᵀ G° (checklist row 4).  [eq:S4.9]
// [eq:S4.10]
TEST(VirtualWorkTest, MotionAndSqueezeAreDecoupledByH) {
  const CounterRandom random(25, 0);
  const PaperHand hand = test::paper_hand({.radius = 0.012});
  for (std::uint64_t n = 0; n < 20; ++n) {
    Drawn d = draw(hand, random, n);
    d.modes.assign(4, n % 2 == 0 ? ContactMode::kSlidePlus : ContactMode::kSlideMinus);
    assemble(hand.kinematics(d.q, d.v), d.modes, d.mu, 3, d.grasp);
    InternalForces internal;
    internal.compute(d.grasp.G);
    MatrixXd G_plus(4, 3);
    for (Index c = 0; c < 3; ++c) {
      VectorXd column;
      internal.particular(VectorXd::Unit(3, c), column);
      G_plus.col(c) = column;
    }
    const MatrixXd H_T = d.grasp.J.lu().solve(d.grasp.G.transpose()).transpose();
    const MatrixXd squeeze = d.grasp.J.transpose() * internal.basis();
    const MatrixXd motion = d.grasp.J.transpose() * G_plus;
    EXPECT_THAT(MatrixXd(H_T * squeeze), EigenNear(MatrixXd::Zero(3, 1), 1e-12));
    EXPECT_THAT(MatrixXd(H_T * motion), EigenNear(MatrixXd::Identity(3, 3), 1e-12));
    const MatrixXd difference = H_T.completeOrthogonalDecomposition().pseudoInverse() - motion;
    EXPECT_GT(difference.norm(), 1e-3);
    const MatrixXd direction = squeeze.normalized();
    EXPECT_THAT(MatrixXd(difference - direction * (direction.transpose() * difference)),
                EigenNear(MatrixXd::Zero(4, 3), 1e-12));
  }
}

}  // namespace
}  // namespace enfold::grasp

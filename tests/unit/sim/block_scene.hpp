// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "enfold/sim/rigid_plant.hpp"

namespace enfold::sim {

/// A point mass over the floor: q = (x, y), gap y, no joints. The simplest world there is.
class BlockMechanism final : public mechanics::Mechanism {
 public:
  BlockMechanism(double mass, const Vector2d& gravity) : mass_{mass}, gravity_{gravity} {}
  [[nodiscard]] Index n_q() const override { return 2; }
  [[nodiscard]] Index n_v() const override { return 2; }
  [[nodiscard]] Index n_x() const override { return 2; }
  void dynamics(const VectorXd&, const VectorXd&, mechanics::Dynamics& out) const override {
    out.M = mass_ * MatrixXd::Identity(2, 2);
    out.h = -mass_ * gravity_;
  }
  void configuration_rate(const VectorXd&, const VectorXd& v, VectorXd& q_dot) const override { q_dot = v; }
  void difference(const VectorXd& from, const VectorXd& to, VectorXd& out) const override { out = to - from; }
  [[nodiscard]] double kinetic_energy(const VectorXd&, const VectorXd& v) const override {
    return 0.5 * mass_ * v.squaredNorm();
  }
  [[nodiscard]] double potential_energy(const VectorXd& q) const override { return -mass_ * gravity_.dot(q); }
  [[nodiscard]] MatrixXd object_point_jacobian(const VectorXd&, const VectorXd&) const override {
    return MatrixXd::Identity(2, 2);
  }
  [[nodiscard]] MatrixXd link_point_jacobian(const VectorXd&, Index, const VectorXd&) const override {
    return {};
  }
  [[nodiscard]] const std::vector<std::string>& joint_names() const override { return none_; }
  [[nodiscard]] const std::vector<std::string>& link_names() const override { return none_; }
  [[nodiscard]] const std::vector<std::string>& object_position_names() const override { return none_; }
  [[nodiscard]] const std::vector<std::string>& object_velocity_names() const override { return none_; }

 private:
  double mass_;
  Vector2d gravity_;
  std::vector<std::string> none_;
};

class BlockContacts final : public contact::ContactSet {
 public:
  [[nodiscard]] Index n_tangents() const override { return 1; }
  [[nodiscard]] const std::vector<std::string>& names() const override { return names_; }
  void kinematics(const VectorXd& q, const VectorXd&, contact::ContactKinematics& out) const override {
    out.gap = q.tail(1);
    out.W_N = Vector2d(0.0, 1.0);
    out.W_T = Vector2d(1.0, 0.0);
    out.bias_N = VectorXd::Zero(1);
    out.bias_T = VectorXd::Zero(1);
    out.edge_distance = VectorXd::Ones(1);
  }
  [[nodiscard]] contact::ContactFrame frame(const VectorXd&, Index) const override { return {}; }
  [[nodiscard]] contact::Closure close(const VectorXd&) const override { return {}; }

 private:
  std::vector<std::string> names_{"floor"};
};

/// The block under a gravity that may lean.
inline PlantModel block(double mass, const Vector2d& gravity, double mu) {
  return {std::make_shared<BlockMechanism>(mass, gravity), std::make_shared<BlockContacts>(),
          VectorXd::Constant(1, mu)};
}

}  // namespace enfold::sim

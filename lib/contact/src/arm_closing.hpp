// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "enfold/contact/posture.hpp"
#include "planar_touch.hpp"

namespace enfold::contact {

/// A posture of one arm that makes its contacts, judged.
struct ArmPosture {
  VectorXd theta;
  double edge_margin = 0.5, conditioning = 1.0, clearance = 0.0, largest_turn = 0.0, score = 0.0;
};

/// Why joint angles do not close an arm: the larger the stage, the further they got.
struct ArmFailure {
  enum class Stage { kGap, kInside, kOffPart, kNone };
  Stage stage = Stage::kGap;
  double amount = 0.0;  // [m]
  Index contact = -1;   // number in the contact set
  Index link = -1;
};

/// The contacts of one arm as functions of its joint angles, at one pose of the object.
class ArmClosing {
 public:
  ArmClosing(const PlanarContactSet& contacts, std::size_t arm, const VectorXd& x);

  [[nodiscard]] Index first() const { return first_; }
  [[nodiscard]] Index n_joints() const { return n_; }
  [[nodiscard]] const std::vector<Index>& contacts() const { return on_arm_; }
  /// Straight links, at most one contact on each, on its face and at no given corner: the tangents close it.
  [[nodiscard]] bool plain() const { return plain_; }
  [[nodiscard]] bool has_free_links() const { return has_free_links_; }

  /// One link after the other along its tangent, free links as well. Fails as Closure says.
  [[nodiscard]] Closure tangents() const;
  /// Damped Newton from θ; nothing if the gaps do not close.
  [[nodiscard]] std::optional<VectorXd> solve(VectorXd theta, double gap_tol, ArmFailure& failure) const;
  /// Judges closed joint angles; nothing if a contact is off its part or a link inside the object.
  [[nodiscard]] std::optional<ArmPosture> judge(const VectorXd& theta, ArmFailure& failure) const;
  /// Distinct postures, best first.
  [[nodiscard]] std::vector<ArmPosture> search(const PostureOptions& options, ArmFailure& failure) const;
  /// The failure as a closure with a message.
  [[nodiscard]] Closure explain(const ArmFailure& failure) const;

 private:
  void motions(const VectorXd& theta, std::vector<mechanics::LinkMotion>& links) const;
  /// Gaps and their Jacobian.
  void evaluate(const VectorXd& theta, VectorXd& gap, MatrixXd& J) const;
  [[nodiscard]] FacingLink facing(Index link) const;
  /// How far a link stays off the object; negative inside.
  [[nodiscard]] double separation(const mechanics::LinkMotion& motion, Index link) const;

  const PlanarContactSet& set_;
  const mechanics::PlanarHand& hand_;
  std::size_t arm_;
  Index first_ = 0, n_ = 0;
  VectorXd x_;
  PlacedObject object_;
  std::vector<Index> on_arm_;
  bool plain_ = true, has_free_links_ = false;
};

}  // namespace enfold::contact

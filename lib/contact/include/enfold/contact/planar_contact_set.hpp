// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "enfold/contact/contact_set.hpp"
#include "enfold/mechanics/planar_grasp_mechanism.hpp"

namespace enfold::contact {

/// A contact between one link and the object.
struct PlanarContact {
  std::string name;
  Index link = 0;  ///< number of the link in PlanarHand::link_names()
};

/// Straight links, of thickness 0 or a radius r, on a smooth convex object given by its support function h.
///
///     φ = n·(c − p) − h(β) − r,   β = angle(−n) − φ_o                                        [eq:planar-gap]
///
/// c, φ_o: the object's centre and orientation; p: the link's joint; n: the link's normal on the object's
/// side.
class PlanarContactSet final : public ContactSet {
 public:
  /// @pre link numbers valid, names unique, the object has a shape (throws InvalidArgument)
  PlanarContactSet(std::shared_ptr<const mechanics::PlanarGraspMechanism> mechanism,
                   std::vector<PlanarContact> contacts);

  [[nodiscard]] Index n_tangents() const override { return 1; }
  [[nodiscard]] const std::vector<std::string>& names() const override { return names_; }
  void kinematics(const VectorXd& q, const VectorXd& v, ContactKinematics& out) const override;
  [[nodiscard]] ContactFrame frame(const VectorXd& q, Index contact) const override;
  [[nodiscard]] Closure close(const VectorXd& x) const override;

  [[nodiscard]] Index link_of(Index contact) const {
    return contacts_[static_cast<std::size_t>(contact)].link;
  }

 private:
  std::shared_ptr<const mechanics::PlanarGraspMechanism> mechanism_;
  std::vector<PlanarContact> contacts_;
  std::vector<std::string> names_;
};

}  // namespace enfold::contact

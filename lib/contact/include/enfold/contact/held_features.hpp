// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "enfold/contact/contact_mode.hpp"
#include "enfold/contact/contact_set.hpp"

namespace enfold::contact {

/// A contact went on to another part of a surface: over a corner, or from a link's face to its tip.
struct FeatureChange {
  double time = 0.0;  ///< [s]
  Index contact = 0;
  ContactFeature from, to;
};

/// The features that closed contacts stay on while a motion is smooth. An integrator holds them through a
/// step, asks whether they are still the nearest, and starts afresh where they are not: the curvature of the
/// surfaces jumps there, and over a sharp corner the contact point itself. Open contacts are on whatever is
/// nearest. Does nothing for contacts without features. Allocates nothing after construction.
class HeldFeatures {
 public:
  explicit HeldFeatures(std::shared_ptr<const ContactSet> contacts);

  /// True if the contacts have features.
  [[nodiscard]] bool any() const { return !features_.empty(); }
  /// Of the features held.
  void kinematics(const VectorXd& q, const VectorXd& v, ContactKinematics& out) const;

  /// Lets open contacts go, and takes hold of closed ones that are not held yet. @pre one mode per contact
  void follow(const VectorXd& q, std::span<const ContactMode> modes);
  /// The first held contact whose feature is not the nearest any more; −1 if there is none.
  [[nodiscard]] Index first_lost(const VectorXd& q) const;
  /// Moves all held contacts to the nearest features; appends what changed.
  void update(const VectorXd& q, double t, std::vector<FeatureChange>& changes);
  void release();

 private:
  [[nodiscard]] bool held(std::size_t contact) const {
    return features_[contact] != ContactFeature::nearest();
  }

  std::shared_ptr<const ContactSet> contacts_;
  std::vector<ContactFeature> features_;  // empty if contacts have none
  mutable std::vector<ContactFeature> nearest_;
};

}  // namespace enfold::contact

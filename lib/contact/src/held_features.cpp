// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/contact/held_features.hpp"

#include <algorithm>

#include "enfold/base/require.hpp"

namespace enfold::contact {

HeldFeatures::HeldFeatures(std::shared_ptr<const ContactSet> contacts) : contacts_{std::move(contacts)} {
  ENFOLD_REQUIRE(contacts_ != nullptr, "HeldFeatures: no contacts");
  if (contacts_->has_features()) features_.resize(contacts_->names().size());
  release();
  nearest_ = features_;
}

void HeldFeatures::release() {
  std::fill(features_.begin(), features_.end(), ContactFeature::nearest());
}

void HeldFeatures::kinematics(const VectorXd& q, const VectorXd& v, ContactKinematics& out) const {
  if (features_.empty()) {
    contacts_->kinematics(q, v, out);
  } else {
    contacts_->kinematics_on(features_, q, v, out);
  }
}

void HeldFeatures::follow(const VectorXd& q, std::span<const ContactMode> modes) {
  if (features_.empty()) return;
  ENFOLD_REQUIRE(modes.size() == features_.size(), "HeldFeatures: {} modes for {} contacts", modes.size(),
                 features_.size());
  bool found = false;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    if (modes[i] == ContactMode::kOpen) {
      features_[i] = ContactFeature::nearest();
    } else if (!held(i)) {
      if (!found) {
        nearest_ = features_;
        contacts_->find_features(q, nearest_);
        found = true;
      }
      features_[i] = nearest_[i];
    }
  }
}

Index HeldFeatures::first_lost(const VectorXd& q) const {
  if (features_.empty()) return -1;
  nearest_ = features_;
  contacts_->find_features(q, nearest_);
  for (std::size_t i = 0; i < features_.size(); ++i) {
    if (held(i) && features_[i] != nearest_[i]) return static_cast<Index>(i);
  }
  return -1;
}

void HeldFeatures::update(const VectorXd& q, double t, std::vector<FeatureChange>& changes) {
  if (features_.empty()) return;
  nearest_ = features_;
  contacts_->find_features(q, nearest_);
  for (std::size_t i = 0; i < features_.size(); ++i) {
    if (!held(i) || features_[i] == nearest_[i]) continue;
    changes.push_back({t, static_cast<Index>(i), features_[i], nearest_[i]});
    features_[i] = nearest_[i];
  }
}

}  // namespace enfold::contact

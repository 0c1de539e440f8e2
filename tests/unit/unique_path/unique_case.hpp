// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <numbers>

#include "enfold/planners/unique_path.hpp"
#include "enfold/test/paper_hand.hpp"

namespace enfold::test {

/// S4's hand with the friction of its second example: 0.8 at the proximal and 0.6 at the distal contacts.
struct UniqueCase {
  PaperHand hand = paper_hand();
  planners::SlipConesProblem grasp;

  [[nodiscard]] planners::SlipCones cones() const {
    return planners::SlipCones(std::make_shared<const planners::SlipConesProblem>(grasp));
  }
  /// The next random pose at which the hand closes: 15 mm to either side, y = 0.105 … 0.165 m, ±20°.
  [[nodiscard]] VectorXd pose(const CounterRandom& random, std::uint64_t& k) const {
    for (;; ++k) {
      const VectorXd x =
          Eigen::Vector3d(0.015 * random.symmetric(3 * k), 0.135 + 0.03 * random.symmetric(3 * k + 1),
                          20.0 * std::numbers::pi / 180.0 * random.symmetric(3 * k + 2));
      if (!hand.contacts->close(x).closed()) continue;
      ++k;
      return x;
    }
  }
};

inline UniqueCase unique_case(double margin = 0.0) {
  UniqueCase c;
  c.grasp.mechanism = c.hand.mechanism;
  c.grasp.contacts = c.hand.contacts;
  c.grasp.mu = Eigen::Vector4d(0.8, 0.6, 0.8, 0.6);
  c.grasp.min_normal = VectorXd::Ones(4);
  c.grasp.limits.max_normal = 25.0;
  c.grasp.margin = margin;
  return c;
}

inline std::vector<ContactMode> modes_of(planners::SlipPattern pattern) {
  std::vector<ContactMode> modes;
  for (unsigned i = 0; i < 4; ++i) modes.push_back((pattern >> i & 1U) != 0 ? kPlus : kMinus);
  return modes;
}

}  // namespace enfold::test

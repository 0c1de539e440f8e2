// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/contact/posture.hpp"

#include <algorithm>

#include "arm_closing.hpp"
#include "enfold/base/require.hpp"

namespace enfold::contact {
namespace {

Posture join(const Posture& hand, const ArmPosture& arm) {
  Posture out = hand;
  out.theta.resize(hand.theta.size() + arm.theta.size());
  out.theta << hand.theta, arm.theta;
  out.edge_margin = std::min(hand.edge_margin, arm.edge_margin);
  out.conditioning = std::min(hand.conditioning, arm.conditioning);
  out.clearance = std::min(hand.clearance, arm.clearance);
  out.largest_turn = std::max(hand.largest_turn, arm.largest_turn);
  out.score = hand.score * arm.score;
  return out;
}

}  // namespace

PostureSearch find_postures(const PlanarContactSet& contacts, const VectorXd& x,
                            const PostureOptions& options) {
  ENFOLD_REQUIRE(x.size() == 3 && x.allFinite(),
                 "find_postures: the object pose must be three finite numbers");
  ENFOLD_REQUIRE(
      options.starts > 0 && options.max_postures > 0 && options.gap_tol > 0.0 && options.same_angle > 0.0,
      "find_postures: starts is {}, max_postures {}, gap_tol {}, same_angle {}, expected > 0", options.starts,
      options.max_postures, options.gap_tol, options.same_angle);
  PostureSearch out;
  Posture none;
  none.theta.resize(0);
  none.edge_margin = 0.5;
  none.conditioning = 1.0;
  none.clearance = std::numeric_limits<double>::infinity();
  none.score = 1.0;
  std::vector<Posture> hand = {none};
  for (std::size_t a = 0; a < contacts.mechanism().hand().arms().size(); ++a) {
    const ArmClosing arm(contacts, a, x);
    ArmFailure failure;
    failure.amount = std::numeric_limits<double>::infinity();
    const std::vector<ArmPosture> found = arm.search(options, failure);
    if (found.empty()) {
      // The tangents say more precisely why they fail, and nothing else closes such an arm.
      Closure tangents;
      if (arm.plain() && !arm.has_free_links()) tangents = arm.tangents();
      out.failure = tangents.message.empty() ? arm.explain(failure) : tangents;
      return out;
    }
    std::vector<Posture> next;
    for (const Posture& before : hand)
      for (const ArmPosture& with : found) next.push_back(join(before, with));
    std::stable_sort(next.begin(), next.end(),
                     [](const Posture& l, const Posture& r) { return l.score > r.score; });
    if (static_cast<int>(next.size()) > options.max_postures)
      next.resize(static_cast<std::size_t>(options.max_postures));
    hand = std::move(next);
  }
  out.postures = std::move(hand);
  out.failure.status = Closure::Status::kClosed;
  return out;
}

}  // namespace enfold::contact

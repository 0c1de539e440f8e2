// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <complex>
#include <cstdint>
#include <utility>
#include <vector>

#include "enfold/base/counter_random.hpp"
#include "enfold/mechanics/planar_hand.hpp"

namespace enfold::test {

/// One case's random numbers, drawn in order.
class Draw {
 public:
  Draw(std::uint64_t seed, int index) : random_{seed, static_cast<std::uint64_t>(index)} {}
  [[nodiscard]] double between(double lo, double hi) { return lo + (hi - lo) * random_.uniform(n_++); }
  [[nodiscard]] int whole(int lo, int hi) { return static_cast<int>(between(lo, hi + 1)); }
  [[nodiscard]] VectorXd vector(Index n, double size) {
    VectorXd x(n);
    for (double& value : x) value = between(-size, size);
    return x;
  }

 private:
  CounterRandom random_;
  std::uint64_t n_ = 0;
};

/// Arms of the given numbers of links: centres of mass off the axis, some links thick, any base.
[[nodiscard]] inline std::vector<mechanics::PlanarArm> random_arms(Draw& draw,
                                                                   const std::vector<int>& n_links) {
  std::vector<mechanics::PlanarArm> arms;
  for (std::size_t a = 0; a < n_links.size(); ++a) {
    mechanics::PlanarArm arm;
    arm.name = fmt::format("arm{}", a + 1);
    arm.base = draw.vector(2, 0.5);
    arm.object_side = draw.whole(0, 1) == 0 ? geometry::Side::kLeft : geometry::Side::kRight;
    for (int l = 0; l < n_links[a]; ++l)
      arm.links.push_back({.name = fmt::format("link{}", l + 1),
                           .length = draw.between(0.1, 0.4),
                           .mass = draw.between(0.1, 1.0),
                           .inertia = draw.between(0.0, 5e-3),
                           .com = {draw.between(0.02, 0.3), draw.between(-0.05, 0.05)},
                           .radius = draw.whole(0, 1) * draw.between(0.005, 0.02)});
    arms.push_back(std::move(arm));
  }
  return arms;
}

/// 1 to 6 arms with 1 to 8 links each, in a random field of gravity.
[[nodiscard]] inline mechanics::PlanarHand random_hand(Draw& draw) {
  std::vector<int> n_links(static_cast<std::size_t>(draw.whole(1, 6)));
  for (int& n : n_links) n = draw.whole(1, 8);
  return {random_arms(draw, n_links), draw.vector(2, 10.0)};
}

/// Where a point given in a link's frame is in the world, by sums of complex exponentials.
[[nodiscard]] inline Vector2d world_point(const mechanics::PlanarHand& hand, const VectorXd& theta,
                                          Index link, const Vector2d& local) {
  const Vector2d& base = hand.arm_of(link).base;
  std::complex<double> at{base.x(), base.y()};
  double angle = 0.0;
  for (Index j = hand.first_joint(link); j <= link; ++j) {
    angle += theta[j];
    if (j < link) at += std::polar(hand.link(j).length, angle);
  }
  at += std::complex<double>(local.x(), local.y()) * std::polar(1.0, angle);
  return {at.real(), at.imag()};
}

}  // namespace enfold::test

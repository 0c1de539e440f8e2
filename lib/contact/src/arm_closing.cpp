// SPDX-License-Identifier: BSD-3-Clause
#include "arm_closing.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "enfold/base/counter_random.hpp"
#include "enfold/base/require.hpp"
#include "enfold/geometry/ellipse.hpp"

namespace enfold::contact {
namespace {

using mechanics::LinkMotion;

constexpr double kPi = std::numbers::pi;

/// Keeps the failure that got furthest; among equals the smaller one.
void keep(ArmFailure& best, const ArmFailure& next) {
  if (next.stage > best.stage || (next.stage == best.stage && next.amount < best.amount)) best = next;
}

}  // namespace

ArmClosing::ArmClosing(const PlanarContactSet& contacts, std::size_t arm, const VectorXd& x)
    : set_{contacts},
      hand_{contacts.mechanism().hand()},
      arm_{arm},
      x_{x},
      object_{place(contacts.mechanism().object(), x.head<2>(), x[2])} {
  for (std::size_t a = 0; a < arm; ++a) first_ += static_cast<Index>(hand_.arms()[a].links.size());
  n_ = static_cast<Index>(hand_.arms()[arm].links.size());
  std::vector<int> on_link(static_cast<std::size_t>(n_), 0);
  for (Index i = 0; i < set_.n_contacts(); ++i) {
    const PlanarContact& contact = set_.contacts()[static_cast<std::size_t>(i)];
    if (contact.link < first_ || contact.link >= first_ + n_) continue;
    on_arm_.push_back(i);
    const int count = ++on_link[static_cast<std::size_t>(contact.link - first_)];
    plain_ = plain_ && count == 1 && contact.part == LinkPart::kFace && contact.corner < 0;
  }
  for (Index l = 0; l < n_; ++l) {
    plain_ = plain_ && hand_.link(first_ + l).bulge == 0.0;
    has_free_links_ = has_free_links_ || on_link[static_cast<std::size_t>(l)] == 0;
  }
}

FacingLink ArmClosing::facing(Index link) const {
  const mechanics::PlanarLink& l = hand_.link(link);
  return {l.length, l.radius, l.bulge, hand_.arms()[arm_].object_side == geometry::Side::kLeft ? 1.0 : -1.0};
}

void ArmClosing::motions(const VectorXd& theta, std::vector<LinkMotion>& links) const {
  links.resize(static_cast<std::size_t>(n_));
  Vector2d p = hand_.arms()[arm_].base;
  double psi = 0.0;
  for (Index l = 0; l < n_; ++l) {
    psi += theta[l];
    LinkMotion& m = links[static_cast<std::size_t>(l)];
    m.p = p;
    m.psi = psi;
    m.d = {std::cos(psi), std::sin(psi)};
    m.p_dot.setZero();
    m.p_bias.setZero();
    m.psi_dot = 0.0;
    p += hand_.link(first_ + l).length * m.d;
  }
}

void ArmClosing::evaluate(const VectorXd& theta, VectorXd& gap, MatrixXd& J) const {
  std::vector<LinkMotion> links;
  motions(theta, links);
  gap.resize(static_cast<Index>(on_arm_.size()));
  J.setZero(gap.size(), n_);
  for (std::size_t k = 0; k < on_arm_.size(); ++k) {
    const PlanarContact& contact = set_.contacts()[static_cast<std::size_t>(on_arm_[k])];
    const Index l = contact.link - first_;
    const LinkMotion& link = links[static_cast<std::size_t>(l)];
    const FacingLink face = facing(contact.link);
    const Touch touch = touch_of(
        link, face, object_, nearest_surfaces(link, face, object_, contact.part, contact.corner, nullptr));
    const auto row = static_cast<Index>(k);
    gap[row] = touch.gap;
    for (Index j = 0; j <= l; ++j)
      J(row, j) = -touch.n.dot(perp(link.p + touch.ell - links[static_cast<std::size_t>(j)].p));
  }
}

/// Closes links one at a time, from the palm outwards.
Closure ArmClosing::tangents() const {
  const geometry::ConvexCurve& shape = mechanics::curve(*object_.object);
  const auto* ellipse = dynamic_cast<const geometry::Ellipse*>(&shape);
  std::vector<Index> contact_of(static_cast<std::size_t>(n_), -1);
  for (const Index i : on_arm_) contact_of[static_cast<std::size_t>(set_.link_of(i) - first_)] = i;
  Closure closure;
  closure.theta = VectorXd::Zero(n_);
  Vector2d p = hand_.arms()[arm_].base;
  double psi_before = 0.0;
  for (Index l = first_; l < first_ + n_; ++l) {
    // Links are closed one at a time, from the palm outwards; a link without a contact turns with the one
    // that touches next to it, as if it were to touch as well.
    const std::string& link_name = hand_.link_names()[static_cast<std::size_t>(l)];
    const geometry::Side side = hand_.arm_of(l).object_side;
    const double radius = hand_.link(l).radius;
    const Vector2d p_body = object_.R.transpose() * (p - x_.head<2>());
    const geometry::TangentRay ray = ellipse != nullptr && radius == 0.0
                                         ? geometry::tangent_ray(*ellipse, p_body, side)
                                         : geometry::tangent_ray(shape, p_body, side, radius);
    closure.contact = contact_of[static_cast<std::size_t>(l - first_)];
    const std::string who = closure.contact < 0
                                ? link_name
                                : "contact " + set_.names()[static_cast<std::size_t>(closure.contact)];
    if (ray.status == geometry::TangentRay::Status::kPointInside) {
      closure.status = Closure::Status::kWrapsWrongly;
      closure.message = fmt::format(
          "{} can't be made: the joint of {} at ({:.4g}, {:.4g}) m lies inside the object{}; move the object "
          "away from "
          "it or change the lengths of the links before it",
          who, link_name, p.x(), p.y(),
          radius > 0.0 ? fmt::format(", or closer to it than the link's radius of {:.4g} m", radius) : "");
      return closure;
    }
    if (closure.contact >= 0 && ray.distance > hand_.link(l).length) {
      closure.status = Closure::Status::kDoesNotReach;
      closure.shortfall = ray.distance - hand_.link(l).length;
      closure.message = fmt::format(
          "{} does not reach: {} would touch the object {:.4g} m from its joint, {:.2g} m beyond its tip; "
          "lengthen "
          "the link by that much or move the object closer",
          who, link_name, ray.distance, closure.shortfall);
      return closure;
    }
    const double psi = ray.psi + x_[2];
    // The relative angle nearest to zero: an arm never winds a whole turn around its own joint.
    closure.theta[l - first_] = std::remainder(psi - psi_before, 2.0 * std::numbers::pi);
    psi_before += closure.theta[l - first_];
    p += hand_.link(l).length * Vector2d{std::cos(psi_before), std::sin(psi_before)};
  }
  closure.status = Closure::Status::kClosed;
  closure.contact = -1;
  return closure;
}

std::optional<VectorXd> ArmClosing::solve(VectorXd theta, double gap_tol, ArmFailure& failure) const {
  VectorXd gap, next_gap;
  MatrixXd J, next_J;
  evaluate(theta, gap, J);
  double damping = 1e-6;
  constexpr double kLongestStep = 0.4;  // [rad]
  const Index m = gap.size();
  for (int i = 0; i < 60 && m > 0; ++i) {
    if (gap.lpNorm<Eigen::Infinity>() <= 1e-3 * gap_tol) break;
    const MatrixXd JJ = J * J.transpose();
    const double scale = std::max(1e-300, JJ.trace() / static_cast<double>(m));
    const MatrixXd damped = JJ + damping * scale * MatrixXd::Identity(m, m);
    VectorXd step = -J.transpose() * damped.ldlt().solve(gap);
    if (const double size = step.lpNorm<Eigen::Infinity>(); size > kLongestStep) step *= kLongestStep / size;
    const VectorXd next = theta + step;
    evaluate(next, next_gap, next_J);
    if (next_gap.norm() < gap.norm()) {
      theta = next;
      gap = next_gap;
      J = next_J;
      damping = std::max(1e-15, 0.1 * damping);
    } else {
      if (damping > 1e4 || step.lpNorm<Eigen::Infinity>() < 1e-15) break;
      damping *= 20.0;
    }
  }
  for (double& angle : theta) angle = std::remainder(angle, 2.0 * kPi);
  Index worst = 0;
  const double left = m > 0 ? gap.cwiseAbs().maxCoeff(&worst) : 0.0;
  if (left <= gap_tol) return theta;
  keep(failure, {ArmFailure::Stage::kGap, left, on_arm_[static_cast<std::size_t>(worst)],
                 set_.link_of(on_arm_[static_cast<std::size_t>(worst)])});
  return std::nullopt;
}

double ArmClosing::separation(const LinkMotion& motion, Index link) const {
  const FacingLink face = facing(link);
  const geometry::ConvexCurve& shape = mechanics::curve(*object_.object);
  const auto inside = [&](const Vector2d& at) -> Vector2d {
    return object_.R.transpose() * (motion.p + at.x() * motion.d + at.y() * perp(motion.d) - object_.c);
  };
  // A curved link as a chain of chords; they miss it by the height of a piece.
  const int pieces = face.bulge == 0.0 ? 1 : 16;
  const auto on_link = [&](int k) -> Vector2d {
    const double along = face.length * k / pieces;
    if (face.bulge == 0.0) return {along, 0.0};
    const Vector2d centre = face.arc_centre();
    const double core = std::abs(face.bulge) / 2.0 + face.length * face.length / (8.0 * std::abs(face.bulge));
    const double height = std::sqrt(std::max(0.0, core * core - (along - centre.x()) * (along - centre.x())));
    return {along, centre.y() + (face.bulge > 0.0 ? face.sigma : -face.sigma) * height};
  };
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < pieces; ++k)
    least = std::min(least, geometry::segment_separation(shape, inside(on_link(k)), inside(on_link(k + 1))));
  return least - face.radius + std::abs(face.bulge) * (face.bulge == 0.0 ? 0.0 : 0.02);
}

std::optional<ArmPosture> ArmClosing::judge(const VectorXd& theta, ArmFailure& failure) const {
  std::vector<LinkMotion> links;
  motions(theta, links);
  ArmPosture out;
  out.theta = theta;
  const double size = mechanics::characteristic_length(*object_.object);
  std::vector<bool> touches(static_cast<std::size_t>(n_), false);
  for (const Index i : on_arm_) touches[static_cast<std::size_t>(set_.link_of(i) - first_)] = true;
  out.clearance = std::numeric_limits<double>::infinity();
  for (Index l = 0; l < n_; ++l) {
    const double apart = separation(links[static_cast<std::size_t>(l)], first_ + l);
    // A link that touches has separation 0, up to how the gaps were closed.
    if (apart < -1e-9 - 1e-6 * size) {
      keep(failure, {ArmFailure::Stage::kInside, -apart, -1, first_ + l});
      return std::nullopt;
    }
    if (!touches[static_cast<std::size_t>(l)]) out.clearance = std::min(out.clearance, apart);
  }
  for (const Index i : on_arm_) {
    const PlanarContact& contact = set_.contacts()[static_cast<std::size_t>(i)];
    const LinkMotion& link = links[static_cast<std::size_t>(contact.link - first_)];
    const FacingLink face = facing(contact.link);
    const Surfaces on = nearest_surfaces(link, face, object_, contact.part, contact.corner, nullptr);
    const Touch touch = touch_of(link, face, object_, on);
    const double edge = contact.part == LinkPart::kAny && !on.tip ? touch.reach : touch.edge;
    // A tip on its own must be at the object with its end, not with where the face begins.
    const double tip_face = contact.part == LinkPart::kTip ? face.length * kPi - touch.edge
                                                           : std::numeric_limits<double>::infinity();
    const double margin = std::min(edge, tip_face);
    if (margin < 0.0) {
      keep(failure, {ArmFailure::Stage::kOffPart, -margin, i, contact.link});
      return std::nullopt;
    }
    out.edge_margin = std::min(out.edge_margin, margin / face.length);
  }
  VectorXd gap;
  MatrixXd J;
  evaluate(theta, gap, J);
  if (gap.size() > 0) {
    const VectorXd sigma = Eigen::JacobiSVD<MatrixXd>(J).singularValues();
    out.conditioning = gap.size() > n_ ? 0.0 : sigma[sigma.size() - 1] / sigma[0];
  }
  for (Index l = 1; l < n_; ++l) out.largest_turn = std::max(out.largest_turn, std::abs(theta[l]));
  const double room = std::isfinite(out.clearance)
                          ? std::max(0.0, out.clearance) / (std::max(0.0, out.clearance) + 0.02 * size)
                          : 1.0;
  out.score = 2.0 * out.edge_margin * out.conditioning * (1.0 - out.largest_turn / kPi) * room;
  failure.stage = ArmFailure::Stage::kNone;
  return out;
}

std::vector<ArmPosture> ArmClosing::search(const PostureOptions& options, ArmFailure& failure) const {
  std::vector<ArmPosture> found;
  const CounterRandom random(options.seed, static_cast<std::uint64_t>(first_));
  const double turn = hand_.arms()[arm_].object_side == geometry::Side::kLeft ? 1.0 : -1.0;
  const Vector2d towards = object_.c - hand_.arms()[arm_].base;
  const double straight = std::atan2(towards.y(), towards.x());
  std::uint64_t draw = 0;
  VectorXd tangent;
  if (const Closure closure = tangents(); closure.theta.size() == n_) tangent = closure.theta;
  for (int k = 0; k < options.starts; ++k) {
    VectorXd start(n_);
    if (k == 0 && tangent.size() == n_) {
      start = tangent;
    } else if (k % 3 == 1 && tangent.size() == n_) {
      for (Index l = 0; l < n_; ++l) start[l] = tangent[l] + 0.6 * random.symmetric(draw++);
    } else {
      // Around the object: the first joint anywhere on the free side, the others curling in and out.
      start[0] = straight + turn * (-1.2 + 1.4 * random.symmetric(draw++));
      for (Index l = 1; l < n_; ++l) start[l] = turn * (0.6 + 1.3 * random.symmetric(draw++));
    }
    const std::optional<VectorXd> theta = solve(std::move(start), options.gap_tol, failure);
    if (!theta) continue;
    const bool known = std::any_of(found.begin(), found.end(), [&](const ArmPosture& other) {
      double apart = 0.0;
      for (Index l = 0; l < n_; ++l)
        apart = std::max(apart, std::abs(std::remainder((*theta)[l] - other.theta[l], 2.0 * kPi)));
      return apart < options.same_angle;
    });
    if (known) continue;
    if (std::optional<ArmPosture> posture = judge(*theta, failure)) found.push_back(std::move(*posture));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const ArmPosture& a, const ArmPosture& b) { return a.score > b.score; });
  if (static_cast<int>(found.size()) > options.max_postures)
    found.resize(static_cast<std::size_t>(options.max_postures));
  return found;
}

Closure ArmClosing::explain(const ArmFailure& failure) const {
  Closure out;
  out.contact = failure.contact;
  out.shortfall = failure.amount;
  const std::string& arm = hand_.arms()[arm_].name;
  const std::string link =
      failure.link >= 0 ? hand_.link_names()[static_cast<std::size_t>(failure.link)] : arm;
  const std::string contact =
      failure.contact >= 0 ? set_.names()[static_cast<std::size_t>(failure.contact)] : std::string();
  const auto m = static_cast<Index>(on_arm_.size());
  switch (failure.stage) {
    case ArmFailure::Stage::kGap:
      out.status = Closure::Status::kDoesNotReach;
      out.message = fmt::format(
          "arm {} can't close all of its {} contacts with {} joints at this pose: the best that was found "
          "leaves a gap of {:.3g} m at contact {} on {}; move the object, change the lengths of the links, "
          "or "
          "{}",
          arm, m, n_, failure.amount, contact, link,
          m > n_ ? "take contacts away: there are more of them than joints" : "take this contact away");
      break;
    case ArmFailure::Stage::kInside:
      out.status = Closure::Status::kWrapsWrongly;
      out.message = fmt::format(
          "arm {} closes its contacts only with {} {:.3g} m inside the object; move the object away from it "
          "or "
          "change the lengths of the links",
          arm, link, failure.amount);
      break;
    case ArmFailure::Stage::kOffPart:
    case ArmFailure::Stage::kNone:
      out.status = Closure::Status::kDoesNotReach;
      out.message = fmt::format(
          "contact {} does not reach: {} would touch the object {:.2g} m beyond the end of the part that the "
          "contact is on; lengthen the link, move the object, or let the contact be on another part",
          contact, link, failure.amount);
      break;
  }
  return out;
}

}  // namespace enfold::contact

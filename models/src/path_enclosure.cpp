// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/models/path_enclosure.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "enfold/base/require.hpp"
#include "enfold/geometry/ellipse.hpp"
#include "enfold/interval/dense.hpp"

namespace enfold::models {
namespace {

using contact::ContactMode;
using interval::Dual;
using interval::Duals;
using interval::Interval;
using mechanics::PlanarHand;
using uniqueness::FamilyEnclosure;

/// A point or a direction of the plane as a function of s.
struct Dual2 {
  Dual x, y;

  friend Dual2 operator+(const Dual2& a, const Dual2& b) { return {a.x + b.x, a.y + b.y}; }
  friend Dual2 operator-(const Dual2& a, const Dual2& b) { return {a.x - b.x, a.y - b.y}; }
  friend Dual2 operator*(const Dual& k, const Dual2& a) { return {k * a.x, k * a.y}; }
};

Dual2 perp(const Dual2& a) {
  return {-a.y, a.x};
}
Dual dot(const Dual2& a, const Dual2& b) {
  return a.x * b.x + a.y * b.y;
}
Dual cross(const Dual2& a, const Dual2& b) {
  return a.x * b.y - a.y * b.x;
}
Dual2 constant(const Vector2d& a) {
  return {Dual(a.x()), Dual(a.y())};
}

/// The object's pose on the stretch, and its ellipse.
struct Object {
  Dual2 c;
  Dual phi, cos_phi, sin_phi;
  double a, b;
};

/// The contact of a straight line with the object: the symbols of docs/theory/02_contact_kinematics.md.
struct Touch {
  Dual2 n;  // from the line to the object
  Dual h;
  Dual dh;  // h′ by the angle of the normal
  Dual2 r;  // from the object's centre to its contact point
};

// `turn`: +1 with the object to the left of d, −1 to the right.
Touch touch_of(const Object& object, const Dual2& d, double turn) {
  Touch t;
  t.n = Dual(turn) * perp(d);
  // u = −n in the body frame; h = √(a² u_x² + b² u_y²), h′ = (b² − a²) u_x u_y / h.
  const Dual u_x = -(object.cos_phi * t.n.x + object.sin_phi * t.n.y);
  const Dual u_y = object.sin_phi * t.n.x - object.cos_phi * t.n.y;
  const Interval a_2 = sqr(Interval(object.a));
  const Interval b_2 = sqr(Interval(object.b));
  t.h = sqrt(Dual(a_2) * sqr(u_x) + Dual(b_2) * sqr(u_y));
  t.dh = Dual(b_2 - a_2) * u_x * u_y / t.h;
  t.r = Dual(-1.0) * (t.h * t.n) - t.dh * perp(t.n);
  return t;
}

/// One link on the object.
struct Link {
  Dual2 p, d;
  Dual psi;
  Touch touch;
  Dual reach;
};

Dual2 direction(const Dual& psi) {
  return {cos(psi), sin(psi)};
}

Dual reach_of(const Object& object, const Dual2& p, const Dual2& d, const Touch& touch, double turn) {
  return dot(d, object.c - p) + Dual(turn) * touch.dh;
}

// The angle at which a link with its joint at p touches the object, all along the stretch.
//
//     g(ψ, s) = n·(c − p) − h − radius = 0,   ∂g/∂ψ = −turn · reach
//
// Newton's step from a number ψ̂ with slopes over the whole interval Ψ: a step that ends inside Ψ proves that
// Ψ holds exactly one zero for every s. Its reach is positive there: of the two tangents the forward one.
std::optional<Link> close_link(const Object& object, const Dual2& p, double psi_hat, double turn,
                               double radius) {
  const auto gap = [&](const Touch& touch) { return dot(touch.n, object.c - p) - touch.h - Dual(radius); };
  const Dual2 d_hat = direction(Dual(psi_hat));
  const Dual at_hat = gap(touch_of(object, d_hat, turn));
  const auto newton = [&](const Interval& Psi) {
    const Dual2 d = direction(Dual(hull(Psi, Interval(psi_hat))));
    const Interval slope = Interval(-turn) * reach_of(object, p, d, touch_of(object, d, turn), turn).v;
    return Interval(psi_hat) - at_hat.v / slope;
  };
  Interval Psi{psi_hat - 1e-13, psi_hat + 1e-13};
  bool proved = false;
  for (int k = 0; k < 30 && !proved; ++k) {
    const Interval step = newton(Psi);
    if (!step.bounded()) return std::nullopt;
    proved = step.inside(Psi);
    const Interval both = hull(step, Interval(psi_hat));
    const double room = 0.1 * (both.hi() - both.lo()) + 1e-14;
    Psi = proved ? step : Interval(both.lo() - room, both.hi() + room);
  }
  if (!proved) return std::nullopt;
  for (int k = 0; k < 2; ++k) Psi = intersection(Psi, newton(Psi));
  Link link;
  link.p = p;
  // dψ/ds = −(∂g/∂s)/(∂g/∂ψ), with ψ held in its interval.
  const Dual2 d = direction(Dual(Psi));
  const Touch held = touch_of(object, d, turn);
  const Interval reach = reach_of(object, p, d, held, turn).v;
  if (!(reach.lo() > 0.0)) return std::nullopt;
  link.psi = Dual(Psi, Interval(turn) * gap(held).d / reach);
  link.d = direction(link.psi);
  link.touch = touch_of(object, link.d, turn);
  link.reach = reach_of(object, p, link.d, link.touch, turn);
  return link;
}

/// Everything about the grasp on one stretch.
class Stretch {
 public:
  /// @param middle a pose on the stretch
  Stretch(const GraspModel& model, const std::vector<ContactMode>& modes, const std::array<Dual, 3>& x,
          const Eigen::Vector3d& middle)
      : model_{model}, modes_{modes}, hand_{model.mechanism->hand()} {
    object_.c = {x[0], x[1]};
    object_.phi = x[2];
    object_.cos_phi = cos(object_.phi);
    object_.sin_phi = sin(object_.phi);
    const auto* ellipse = dynamic_cast<const geometry::Ellipse*>(model.mechanism->object().shape.get());
    if (ellipse == nullptr) return;
    object_.a = ellipse->a();
    object_.b = ellipse->b();
    ok_ = close(middle) && assemble();
  }

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] const Duals& A_0() const { return A_0_; }
  [[nodiscard]] const Duals& A_1() const { return A_1_; }
  /// dφ_T/ds of each row.
  [[nodiscard]] const std::vector<Interval>& slip() const { return slip_; }

 private:
  bool close(const Eigen::Vector3d& x) {
    const contact::Closure middle = model_.contacts->close(x);
    if (!middle.closed()) return false;
    q_.resize(model_.mechanism->n_q());
    q_ << x, middle.theta;
    double psi = 0.0;
    for (Index l = 0; l < hand_.n_joints(); ++l) {
      const bool first = hand_.first_joint(l) == l;
      const mechanics::PlanarArm& arm = hand_.arm_of(l);
      psi = (first ? 0.0 : psi) + middle.theta[l];
      const Dual2 p =
          first ? constant(arm.base) : links_.back().p + Dual(hand_.link(l - 1).length) * links_.back().d;
      const double turn = arm.object_side == geometry::Side::kLeft ? 1.0 : -1.0;
      std::optional<Link> link = close_link(object_, p, psi, turn, hand_.link(l).radius);
      if (!link) return false;
      // The contact must stay on its link: else the hand does not reach.
      if (!(link->reach.v.hi() <= hand_.link(l).length)) return false;
      links_.push_back(std::move(*link));
    }
    return true;
  }

  // Rows of W_Nᵀ and W_Tᵀ as columns, and of M.
  bool assemble() {
    const Index n_j = hand_.n_joints();
    const Index n_v = 3 + n_j;
    std::vector<Index> closed;
    std::vector<Index> rolling;
    for (Index i = 0; i < model_.contacts->n_contacts(); ++i) {
      const ContactMode mode = modes_[static_cast<std::size_t>(i)];
      if (mode != ContactMode::kOpen) closed.push_back(i);
      if (mode == ContactMode::kRoll) rolling.push_back(i);
    }
    const auto n = static_cast<Index>(closed.size());
    const auto r = static_cast<Index>(rolling.size());
    // [W_N, W_T, W_TR]
    Duals W(n_v, 2 * n + r);
    for (Index k = 0; k < n; ++k) set_columns(closed[static_cast<std::size_t>(k)], k, n + k, W);
    slip_.resize(static_cast<std::size_t>(n));
    for (Index k = 0; k < n; ++k) {
      slip_[static_cast<std::size_t>(k)] = slip_along(W, n + k);
      const auto found = std::find(rolling.begin(), rolling.end(), closed[static_cast<std::size_t>(k)]);
      if (found == rolling.end()) continue;
      for (Index v = 0; v < n_v; ++v) {
        W(v, 2 * n + (found - rolling.begin())) = W(v, n + k);
        W(v, n + k) = Dual();  // its friction is a reaction
      }
    }
    const std::optional<Duals> M_W = solve_definite(mass(), W);
    if (!M_W) return false;
    const Duals G = transpose_times(W, *M_W);  // of all columns with all columns
    A_0_ = Duals(n, n);
    A_1_ = Duals(n, n);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        A_0_(i, j) = G(i, j);
        A_1_(i, j) = -G(i, n + j);
      }
    }
    if (r == 0) return true;
    Duals D(r, r);
    Duals C(r, 2 * n);
    for (Index i = 0; i < r; ++i) {
      for (Index j = 0; j < r; ++j) D(i, j) = G(2 * n + i, 2 * n + j);
      for (Index j = 0; j < 2 * n; ++j) C(i, j) = G(2 * n + i, j);
    }
    const std::optional<Duals> D_C = solve_definite(D, C);
    if (!D_C) return false;
    const Duals S = transpose_times(C, *D_C);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        A_0_(i, j) -= S(i, j);
        if (!rolls(closed[static_cast<std::size_t>(j)])) A_1_(i, j) += S(i, n + j);
      }
    }
    return true;
  }

  [[nodiscard]] bool rolls(Index contact) const {
    return modes_[static_cast<std::size_t>(contact)] == ContactMode::kRoll;
  }

  void set_columns(Index contact, Index normal, Index tangent, Duals& W) const {
    const Index l = model_.contacts->link_of(contact);
    if (l < 0) {
      // On a half-plane, whose direction is known to rounding and does not turn.
      const MatrixXd along = model_.contacts->frame(q_, contact).tangents;
      const auto about = [](double x) { return Dual(Interval(x - 1e-15, x + 1e-15)); };
      const Dual2 d{about(along(0, 0)), about(along(1, 0))};
      const Touch t = touch_of(object_, d, 1.0);
      set_object_rows(t.n, t.r, normal, W);
      set_object_rows(d, t.r, tangent, W);
      return;
    }
    const Link& link = links_[static_cast<std::size_t>(l)];
    set_object_rows(link.touch.n, link.touch.r, normal, W);
    set_object_rows(link.d, link.touch.r, tangent, W);
    const Dual2 point = link.p + link.reach * link.d + Dual(hand_.link(l).radius) * link.touch.n;
    for (Index j = hand_.first_joint(l); j <= l; ++j) {
      const Dual2 lever = perp(point - links_[static_cast<std::size_t>(j)].p);
      W(3 + j, normal) = -dot(link.touch.n, lever);
      W(3 + j, tangent) = -dot(link.d, lever);
    }
  }

  static void set_object_rows(const Dual2& direction, const Dual2& r, Index column, Duals& W) {
    W(0, column) = direction.x;
    W(1, column) = direction.y;
    W(2, column) = cross(r, direction);
  }

  // W_Tᵀ dq/ds: of the joints dθ/ds = dψ/ds − dψ/ds of the link before.
  [[nodiscard]] Interval slip_along(const Duals& W, Index column) const {
    Interval sum = W(0, column).v * object_.c.x.d + W(1, column).v * object_.c.y.d;
    sum += W(2, column).v * object_.phi.d;
    for (Index l = 0; l < hand_.n_joints(); ++l) {
      Interval rate = links_[static_cast<std::size_t>(l)].psi.d;
      if (hand_.first_joint(l) != l) rate -= links_[static_cast<std::size_t>(l) - 1].psi.d;
      sum += W(3 + l, column).v * rate;
    }
    return sum;
  }

  [[nodiscard]] Duals mass() const {
    const mechanics::PlanarObject& object = model_.mechanism->object();
    const Index n_j = hand_.n_joints();
    Duals M(3 + n_j, 3 + n_j);
    M(0, 0) = M(1, 1) = Dual(object.mass);
    M(2, 2) = Dual(object.inertia);
    for (Index l = 0; l < n_j; ++l) {
      const mechanics::PlanarLink& link = hand_.link(l);
      const Link& at = links_[static_cast<std::size_t>(l)];
      const Dual2 com = at.p + Dual(link.com.x()) * at.d + Dual(link.com.y()) * perp(at.d);
      for (Index i = hand_.first_joint(l); i <= l; ++i) {
        const Dual2 J_i = com - links_[static_cast<std::size_t>(i)].p;  // turned by 90° in both factors
        for (Index j = hand_.first_joint(l); j <= l; ++j) {
          const Dual2 J_j = com - links_[static_cast<std::size_t>(j)].p;
          M(3 + i, 3 + j) += Dual(link.mass) * dot(J_i, J_j) + Dual(link.inertia);
        }
      }
    }
    return M;
  }

  const GraspModel& model_;
  const std::vector<ContactMode>& modes_;
  const PlanarHand& hand_;
  Object object_{};
  VectorXd q_;  // in the middle
  std::vector<Link> links_;
  Duals A_0_, A_1_;
  std::vector<Interval> slip_;
  bool ok_ = false;
};

// Straight links with one contact each, on the face, around an ellipse or a circle: the chain above is
// theirs.
bool is_plain(const GraspModel& model) {
  const PlanarHand& hand = model.mechanism->hand();
  if (dynamic_cast<const geometry::Ellipse*>(model.mechanism->object().shape.get()) == nullptr) return false;
  std::vector<int> touches(static_cast<std::size_t>(hand.n_joints()), 0);
  for (const contact::PlanarContact& contact : model.contacts->contacts()) {
    if (contact.link < 0) continue;
    if (contact.part != contact::LinkPart::kFace) return false;
    ++touches[static_cast<std::size_t>(contact.link)];
  }
  for (Index l = 0; l < hand.n_joints(); ++l)
    if (touches[static_cast<std::size_t>(l)] != 1 || hand.link(l).bulge != 0.0) return false;
  return true;
}

// |f(s) − centre| for all s of the stretch: what the middle leaves open, and the derivative times the
// distance.
double radius_of(const Interval& at_middle, const Interval& derivative, double centre, double distance) {
  const Interval off = at_middle - Interval(centre);
  return (Interval(off.magnitude()) + Interval(derivative.magnitude()) * Interval(distance)).hi();
}

}  // namespace

PathEnclosure::PathEnclosure(GraspModel model, std::vector<ContactMode> modes,
                             std::shared_ptr<const PosePath> path)
    : model_{std::move(model)}, modes_{std::move(modes)}, path_{std::move(path)} {
  ENFOLD_REQUIRE(static_cast<Index>(modes_.size()) == model_.contacts->n_contacts(),
                 "PathEnclosure: {} modes for {} contacts", modes_.size(), model_.contacts->n_contacts());
  ENFOLD_REQUIRE(path_ != nullptr, "PathEnclosure: there is no path for {} contacts", modes_.size());
}

PathEnclosure::PathEnclosure(GraspModel model, std::vector<ContactMode> modes, const VectorXd& from,
                             const VectorXd& to)
    : PathEnclosure(std::move(model), std::move(modes), std::make_shared<StraightPath>(from, to)) {}

bool PathEnclosure::available() const {
  return is_plain(model_);
}

std::optional<FamilyEnclosure> PathEnclosure::over(double u_0, double u_1) const {
  ENFOLD_REQUIRE(u_0 <= u_1, "PathEnclosure: from u = {} to {}", u_0, u_1);
  if (!available()) return std::nullopt;
  const Interval u(u_0, u_1);
  const HeldPose stretch = path_->over(u);
  const HeldPose at = path_->over(Interval(u.middle()));
  const Eigen::Vector3d pose{at.x[0].v.middle(), at.x[1].v.middle(), at.x[2].v.middle()};
  const Stretch whole(model_, modes_, stretch.x, pose);
  if (!whole.ok()) return std::nullopt;
  const Stretch middle(model_, modes_, at.x, pose);
  if (!middle.ok()) return std::nullopt;
  const double distance = (stretch.s - at.s).magnitude();

  const Index n = whole.A_0().rows();
  FamilyEnclosure out;
  out.turns.resize(static_cast<std::size_t>(n));
  out.centre = {MatrixXd(n, n), MatrixXd(n, n)};
  out.radius_0.resize(n, n);
  out.radius_1.resize(n, n);
  for (Index j = 0; j < n; ++j) {
    const Interval& slip = whole.slip()[static_cast<std::size_t>(j)];
    out.turns[static_cast<std::size_t>(j)] = slip.contains(0.0);
    const double sign = slip.hi() < 0.0 ? -1.0 : 1.0;
    for (Index i = 0; i < n; ++i) {
      const auto hold = [&](const Dual& at_middle, const Dual& along, double turn, double& centre,
                            double& radius) {
        centre = turn * at_middle.v.middle();
        radius = radius_of(at_middle.v, along.d, turn * centre, distance);
      };
      hold(middle.A_0()(i, j), whole.A_0()(i, j), 1.0, out.centre.A_0(i, j), out.radius_0(i, j));
      hold(middle.A_1()(i, j), whole.A_1()(i, j), sign, out.centre.A_1(i, j), out.radius_1(i, j));
    }
  }
  if (!out.centre.A_0.allFinite() || !out.centre.A_1.allFinite() || !out.radius_0.allFinite() ||
      !out.radius_1.allFinite())
    return std::nullopt;
  return out;
}

}  // namespace enfold::models

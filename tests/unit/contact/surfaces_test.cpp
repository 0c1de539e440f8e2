// SPDX-License-Identifier: BSD-3-Clause
// Every pair of surfaces: face, curved face and tip of a link on curve, corner and face of an object.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "enfold/base/error.hpp"
#include "enfold/contact/planar_contact_set.hpp"
#include "enfold/test/counts.hpp"
#include "enfold/test/matchers.hpp"
#include "enfold/test/numeric_derivative.hpp"
#include "enfold/test/object_shapes.hpp"
#include "enfold/test/random_hand.hpp"

namespace enfold::contact {
namespace {

using test::Draw;
using test::EigenNear;
using test::numeric_derivative;
using ::testing::HasSubstr;

constexpr std::uint64_t kSurfaceSeed = 2002;

struct SurfaceScene {
  std::string shape;
  std::shared_ptr<const mechanics::PlanarGraspMechanism> mechanism;
  std::shared_ptr<const PlanarContactSet> contacts;

  [[nodiscard]] ContactKinematics on(const std::vector<ContactFeature>& features, const VectorXd& q,
                                     const VectorXd& v) const {
    ContactKinematics out;
    contacts->kinematics_on(features, q, v, out);
    return out;
  }
  [[nodiscard]] std::vector<ContactFeature> features(const VectorXd& q) const {
    std::vector<ContactFeature> out;
    contacts->find_features(q, out);
    return out;
  }
};

/// Straight, bulging and hollow links, thin and thick, with contacts on faces, tips and either.
SurfaceScene random_scene(Draw& draw, const test::ObjectShape& shape) {
  std::vector<int> n_links(static_cast<std::size_t>(draw.whole(1, 3)));
  for (int& n : n_links) n = draw.whole(1, 3);
  std::vector<mechanics::PlanarArm> arms = test::random_arms(draw, n_links);
  for (auto& arm : arms)
    for (auto& link : arm.links) {
      link.length = draw.between(0.2, 0.4);
      const int kind = draw.whole(0, 2);
      // A hollow rounder than any object here.
      link.bulge = kind == 0 ? 0.0 : kind == 1 ? draw.between(0.01, 0.05) : -draw.between(0.005, 0.01);
    }
  SurfaceScene scene;
  scene.shape = shape.name;
  scene.mechanism = std::make_shared<mechanics::PlanarGraspMechanism>(
      mechanics::PlanarHand(arms, Vector2d::Zero()), shape.object());
  std::vector<PlanarContact> contacts;
  for (Index l = 0; l < scene.mechanism->hand().n_joints(); ++l) {
    for (const LinkPart part : {LinkPart::kFace, LinkPart::kTip, LinkPart::kAny})
      contacts.push_back({fmt::format("c{}", contacts.size()), l, -1, -1, part});
    if (shape.polygon != nullptr)
      contacts.push_back({fmt::format("c{}", contacts.size()), l, -1, draw.whole(0, 4), LinkPart::kFace});
  }
  scene.contacts =
      std::make_shared<PlanarContactSet>(scene.mechanism, contacts, std::vector<PlanarHalfPlane>{});
  return scene;
}

struct SurfaceState {
  VectorXd q, v, v_dot;
};
SurfaceState random_state(Draw& draw, const SurfaceScene& scene) {
  const Index n = scene.mechanism->n_v();
  SurfaceState s{draw.vector(n, 1.5), draw.vector(n, 1.5), draw.vector(n, 2.0)};
  s.q.head<2>() *= 0.4;
  return s;
}

/// A contact whose surfaces are too deep in each other, or whose hollow is no hollow for this object, has no
/// nearest point to speak of.
bool regular(const SurfaceScene& scene, const ContactKinematics& kin, Index i) {
  const mechanics::PlanarLink& link = scene.mechanism->hand().link(scene.contacts->link_of(i));
  const bool hollow =
      link.bulge < 0.0 && scene.contacts->contacts()[static_cast<std::size_t>(i)].part != LinkPart::kTip;
  return (hollow ? std::abs(kin.gap[i]) < 0.3 : kin.gap[i] > 2e-3) && kin.gap[i] < 1.0;
}
// The radius of curvature of a superellipse changes within its rounding of 1e-3.
double step_for(const std::string& shape) {
  return shape.starts_with("superellipse") ? 2e-5 : 2e-4;
}

// [eq:S4.7] [eq:planar-bias]: of each pair of surfaces, held while the state moves.
TEST(SurfacesTest, RatesAndBiasesAgreeWithFiniteDifferences) {
  std::map<std::string, int> seen;
  const int n_cases = test::count(12, 150);
  for (const test::ObjectShape& shape : test::object_shapes()) {
    for (int k = 0; k < n_cases; ++k) {
      Draw draw(kSurfaceSeed, k);
      const SurfaceScene scene = random_scene(draw, shape);
      const SurfaceState s = random_state(draw, scene);
      const auto features = scene.features(s.q);
      const ContactKinematics kin = scene.on(features, s.q, s.v);
      const double step = step_for(shape.name);
      const VectorXd rate =
          numeric_derivative([&](double t) { return scene.on(features, s.q + t * s.v, s.v).gap; }, step);
      const auto velocity = [&](double t) -> VectorXd {
        const VectorXd v = s.v + t * s.v_dot;
        const ContactKinematics at = scene.on(features, s.q + t * s.v + 0.5 * t * t * s.v_dot, v);
        VectorXd out(2 * at.gap.size());
        out << at.W_N.transpose() * v, at.W_T.transpose() * v;
        return out;
      };
      const VectorXd slope = numeric_derivative(velocity, step);
      const VectorXd coarse = numeric_derivative(velocity, 2.0 * step);
      const Index n = kin.gap.size();
      for (Index i = 0; i < n; ++i) {
        if (!regular(scene, kin, i)) continue;
        const std::string which = shape.name + ", " +
                                  scene.contacts->feature_name(features[static_cast<std::size_t>(i)]) +
                                  fmt::format(", case {}, contact {}", k, i);
        EXPECT_NEAR(kin.W_N.col(i).dot(s.v), rate[i], 1e-8) << which;
        // Where the two steps disagree the difference quotient itself is no reference.
        const double doubt = 1e-7 + 10.0 * std::abs(slope[i] - coarse[i]);
        const double doubt_T = 1e-7 + 10.0 * std::abs(slope[n + i] - coarse[n + i]);
        if (doubt > 1e-3 || doubt_T > 1e-3) continue;
        EXPECT_NEAR(kin.W_N.col(i).dot(s.v_dot) + kin.bias_N[i], slope[i], doubt) << which;
        EXPECT_NEAR(kin.W_T.col(i).dot(s.v_dot) + kin.bias_T[i], slope[n + i], doubt_T) << which;
        const mechanics::PlanarLink& link = scene.mechanism->hand().link(scene.contacts->link_of(i));
        std::string pair = scene.contacts->feature_name(features[static_cast<std::size_t>(i)]);
        pair.resize(pair.find_last_not_of(" 0123456789") + 1);
        ++seen[(link.bulge > 0.0 ? "bulging " : link.bulge < 0.0 ? "hollow " : "straight ") + pair];
      }
    }
  }
  // Each kind of link on each kind of surface.
  for (const char* link : {"straight ", "bulging ", "hollow "})
    for (const char* on : {"face on curve", "face on corner", "tip on curve", "tip on corner", "tip on face"})
      EXPECT_GT(seen[std::string(link) + on], 3) << link << on;
  EXPECT_GT(seen["bulging face on face"], 3);
}

// The columns by the mechanism's point Jacobians at the two contact points, and the points themselves.
TEST(SurfacesTest, ColumnsAreThePointJacobiansSeenAlongTheFrame) {
  for (const test::ObjectShape& shape : test::object_shapes()) {
    for (int k = 0; k < 10; ++k) {
      Draw draw(kSurfaceSeed + 1, k);
      const SurfaceScene scene = random_scene(draw, shape);
      const SurfaceState s = random_state(draw, scene);
      const ContactKinematics kin = scene.on(scene.features(s.q), s.q, s.v);
      const Index n_j = scene.mechanism->n_theta();
      for (Index i = 0; i < kin.gap.size(); ++i) {
        const ContactFrame frame = scene.contacts->frame(s.q, i);
        EXPECT_THAT(Vector2d(frame.object_point - frame.link_point),
                    EigenNear(Vector2d(kin.gap[i] * frame.normal), 1e-12));
        MatrixXd relative(2, 3 + n_j);
        relative << scene.mechanism->object_point_jacobian(s.q, frame.object_point),
            -scene.mechanism->link_point_jacobian(s.q, frame.link, frame.link_point);
        EXPECT_THAT(kin.W_N.col(i), EigenNear(VectorXd(relative.transpose() * frame.normal), 1e-12));
        EXPECT_THAT(kin.W_T.col(i), EigenNear(VectorXd(relative.transpose() * frame.tangents.col(0)), 1e-12));
      }
    }
  }
}

/// Points of the object in the world.
std::vector<Vector2d> world(const test::ObjectShape& shape, const VectorXd& q, int n) {
  std::vector<Vector2d> points = test::sampled_boundary(shape, n);
  const Eigen::Rotation2Dd R(q[2]);
  for (Vector2d& p : points) p = q.head<2>() + R * p;
  return points;
}

// A stage of a step that runs away may ask for anything; the step is refused for what comes out.
TEST(SurfacesTest, ConfigurationThatIsNotFiniteGivesGapsThatAreNotFinite) {
  for (const test::ObjectShape& shape : test::object_shapes()) {
    for (int k = 0; k < 10; ++k) {
      Draw draw(kSurfaceSeed + 7, k);
      const SurfaceScene scene = random_scene(draw, shape);
      SurfaceState s = random_state(draw, scene);
      for (const double bad :
           {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        s.q.head<2>().setConstant(bad);
        ContactKinematics kin;
        scene.contacts->kinematics(s.q, s.v, kin);
        for (const double gap : kin.gap) EXPECT_FALSE(std::isfinite(gap)) << shape.name << ", case " << k;
      }
    }
  }
}

// By sampling both bodies: the capsule's axis (or arc) and the object's boundary.
TEST(SurfacesTest, GapOfAnyPartIsTheSampledDistanceOfTheTwoBodies) {
  int faces = 0;
  int tips = 0;
  for (const test::ObjectShape& shape : test::object_shapes()) {
    for (int k = 0; k < test::count(25, 200); ++k) {
      Draw draw(kSurfaceSeed + 2, k);
      SurfaceScene scene = random_scene(draw, shape);
      const SurfaceState s = random_state(draw, scene);
      const ContactKinematics kin = scene.on(scene.features(s.q), s.q, s.v);
      const std::vector<Vector2d> points = world(shape, s.q, 4000);
      for (Index i = 0; i < kin.gap.size(); ++i) {
        const PlanarContact& contact = scene.contacts->contacts()[static_cast<std::size_t>(i)];
        const mechanics::PlanarLink& link = scene.mechanism->hand().link(contact.link);
        const bool sharp = shape.polygon != nullptr && shape.polygon->corner_radius() + link.radius == 0.0;
        if (link.bulge < 0.0 || kin.gap[i] < 5e-3 || kin.edge_distance[i] < 0.0 || contact.corner >= 0 ||
            sharp)
          continue;
        if (contact.part == LinkPart::kFace && kin.edge_distance[i] < 1e-3) continue;
        const VectorXd theta = s.q.tail(scene.mechanism->n_theta());
        double closest = 10.0;
        const int pieces = contact.part == LinkPart::kTip ? 0 : 200;
        const bool left = scene.mechanism->hand().arm_of(contact.link).object_side == geometry::Side::kLeft;
        for (int a = 0; a <= pieces; ++a) {
          const double t = pieces == 0 ? 1.0 : static_cast<double>(a) / pieces;
          Vector2d local{t * link.length, 0.0};
          if (link.bulge > 0.0) {
            const double R = 0.5 * (0.25 * link.length * link.length / link.bulge + link.bulge);
            const double u = local.x() - 0.5 * link.length;
            local.y() = (left ? 1.0 : -1.0) * (std::sqrt(R * R - u * u) - (R - link.bulge));
          }
          const Vector2d on_link = test::world_point(scene.mechanism->hand(), theta, contact.link, local);
          for (std::size_t j = 0; j < points.size(); j += 4)
            closest = std::min(closest, (points[j] - on_link).norm());
        }
        // A tip alone may look at the object over its own link.
        (contact.part == LinkPart::kTip ? tips : faces) += 1;
        EXPECT_NEAR(kin.gap[i], closest - link.radius, 2e-3 * 0.4)
            << shape.name << ", case " << k << ", " << i;
      }
    }
  }
  EXPECT_GT(faces, 100);
  EXPECT_GT(tips, 100);
}

// Where a contact goes over an end or a corner the gap is continuous; its rate as well, but where a straight
// face meets the next corner of a flat side.
TEST(SurfacesTest, GapIsContinuousWhereTheFeatureChanges) {
  std::map<std::string, int> changes;
  for (const test::ObjectShape& shape : test::object_shapes()) {
    for (int k = 0; k < test::count(12, 100); ++k) {
      Draw draw(kSurfaceSeed + 3, k);
      const SurfaceScene scene = random_scene(draw, shape);
      const SurfaceState s = random_state(draw, scene);
      constexpr int kSteps = 400;
      std::vector<ContactFeature> before = scene.features(s.q);
      for (int n = 1; n <= kSteps; ++n) {
        const auto at = [&](double step) -> VectorXd { return s.q + step * (2.0 / kSteps) * s.v; };
        std::vector<ContactFeature> after = before;
        scene.contacts->find_features(at(n), after);
        for (std::size_t i = 0; i < after.size(); ++i) {
          if (after[i] == before[i]) continue;
          // Bisect to the change of this contact.
          double good = n - 1;
          double bad = n;
          ContactFeature next = after[i];
          for (int b = 0; b < 50; ++b) {
            std::vector<ContactFeature> middle = before;
            scene.contacts->find_features(at(0.5 * (good + bad)), middle);
            if (middle[i] == before[i]) {
              good = 0.5 * (good + bad);
            } else {
              bad = 0.5 * (good + bad);
              next = middle[i];
            }
          }
          std::vector<ContactFeature> changed = before;
          changed[i] = next;
          const ContactKinematics old_kin = scene.on(before, at(bad), s.v);
          const ContactKinematics new_kin = scene.on(changed, at(bad), s.v);
          const auto c = static_cast<Index>(i);
          if (!regular(scene, old_kin, c) || !regular(scene, new_kin, c)) continue;
          const Index l = scene.contacts->link_of(c);
          if (scene.mechanism->hand().link(l).bulge < 0.0 || old_kin.edge_distance[c] < -1e-9) continue;
          EXPECT_NEAR(old_kin.gap[c], new_kin.gap[c], 1e-9)
              << shape.name << ", case " << k << ": " << scene.contacts->feature_name(before[i]) << " to "
              << scene.contacts->feature_name(next);
          ++changes[before[i].link == next.link ? "object" : "link"];
        }
        before = after;
      }
    }
  }
  EXPECT_GT(changes["link"], 20);
  EXPECT_GT(changes["object"], 20);
}

TEST(SurfacesTest, NaturalFeaturesAreThoseOfThePlainCall) {
  for (const test::ObjectShape& shape : test::object_shapes()) {
    Draw draw(kSurfaceSeed + 4, 0);
    const SurfaceScene scene = random_scene(draw, shape);
    const SurfaceState s = random_state(draw, scene);
    ContactKinematics plain;
    scene.contacts->kinematics(s.q, s.v, plain);
    const ContactKinematics held = scene.on(scene.features(s.q), s.q, s.v);
    EXPECT_EQ(plain.gap, held.gap);
    EXPECT_EQ(plain.W_N, held.W_N);
    EXPECT_EQ(plain.bias_T, held.bias_T);
    EXPECT_TRUE(scene.contacts->has_features());
  }
}

// A box lies flat on a link: both of its lower corners touch, each by its own contact.
TEST(SurfacesTest, TwoCornersOfABoxLieOnOneLink) {
  mechanics::PlanarArm arm{
      .name = "arm", .base = Vector2d::Zero(), .object_side = geometry::Side::kLeft, .links = {}};
  arm.links.push_back(
      {.name = "link", .length = 0.3, .mass = 1.0, .inertia = 1e-3, .com = {0.15, 0.0}, .radius = 0.01});
  const auto box = std::make_shared<geometry::ConvexPolygon>(
      std::vector<Vector2d>{{-0.05, -0.04}, {0.05, -0.04}, {0.05, 0.04}, {-0.05, 0.04}});
  const auto mechanism = std::make_shared<mechanics::PlanarGraspMechanism>(
      mechanics::PlanarHand({arm}, Vector2d::Zero()), mechanics::PlanarObject{1.0, 1e-3, nullptr, box});
  const PlanarContactSet set(mechanism, {{"left", 0, -1, 0}, {"right", 0, -1, 1}});
  EXPECT_FALSE(set.has_features());
  ContactKinematics kin;
  set.kinematics(VectorXd{{0.15, 0.05, 0.0, 0.0}}, VectorXd::Zero(4), kin);
  EXPECT_THAT(kin.gap, EigenNear(VectorXd(VectorXd::Zero(2)), 1e-15));
  EXPECT_THAT(kin.edge_distance, EigenNear(VectorXd{{0.1, 0.1}}, 1e-15));
  EXPECT_THAT(kin.W_N.col(0), EigenNear(VectorXd{{0.0, 1.0, -0.05, -0.1}}, 1e-15));
  EXPECT_THAT(kin.W_N.col(1), EigenNear(VectorXd{{0.0, 1.0, 0.05, -0.2}}, 1e-15));
}

TEST(SurfacesTest, RefusesPartsAndCornersThatDoNotFit) {
  const auto refusal = [](const test::ObjectShape& shape, PlanarContact contact) -> std::string {
    mechanics::PlanarArm arm{
        .name = "arm", .base = Vector2d::Zero(), .object_side = geometry::Side::kLeft, .links = {}};
    arm.links.push_back({.name = "link", .length = 0.3, .mass = 1.0, .inertia = 1e-3});
    const auto mechanism = std::make_shared<mechanics::PlanarGraspMechanism>(
        mechanics::PlanarHand({arm}, Vector2d::Zero()), shape.object());
    try {
      const PlanarContactSet set(mechanism, {std::move(contact)}, {{"floor", Vector2d::Zero(), 0.0}});
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  const auto shapes = test::object_shapes();
  EXPECT_EQ(refusal(shapes.back(), {"a", 0, -1, 2}), "");
  EXPECT_THAT(refusal(shapes.back(), {"a", 0, -1, 2, LinkPart::kTip}),
              HasSubstr("sharp corner to a sharp tip"));
  EXPECT_THAT(refusal(shapes.back(), {"a", 0, -1, 5}), HasSubstr("corner 5 of 5"));
  EXPECT_THAT(refusal(shapes.back(), {"a", -1, 0, -1}), HasSubstr("corner -1 of 5"));
  EXPECT_THAT(refusal(shapes.front(), {"a", 0, -1, 0}), HasSubstr("corner 0 of 0"));
  EXPECT_THAT(refusal(shapes.front(), {"a", -1, 0, -1, LinkPart::kTip}), HasSubstr("tip of a half-plane"));
}

}  // namespace
}  // namespace enfold::contact

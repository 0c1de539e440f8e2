// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "contact_scene.hpp"
#include "enfold/base/error.hpp"

namespace enfold::contact {
namespace {

using test::Scene;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::shared_ptr<const mechanics::PlanarGraspMechanism> paper_mechanism() {
  return Scene(test::paper_arms(), test::ellipse_shape(0.15, 0.11)).mechanism;
}

std::string refusal(std::shared_ptr<const mechanics::PlanarGraspMechanism> mechanism,
                    std::vector<PlanarContact> contacts) {
  try {
    const PlanarContactSet set(std::move(mechanism), std::move(contacts));
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

TEST(ContactInputTest, KeepsTheContactsInTheirOrderWithTheirNames) {
  const PlanarContactSet set(paper_mechanism(), {{"b", 3}, {"a", 0}});
  EXPECT_EQ(set.n_contacts(), 2);
  EXPECT_THAT(set.names(), ElementsAre("b", "a"));
  EXPECT_EQ(set.link_of(0), 3);
  EXPECT_EQ(set.link_of(1), 0);
  EXPECT_EQ(set.n_tangents(), 1);
}

// A set with some of the contacts holds the same columns as the set with all of them.
TEST(ContactInputTest, ColumnsFollowTheOrderOfTheContacts) {
  const Scene all(test::paper_arms(), test::ellipse_shape(0.15, 0.11));
  const PlanarContactSet some(all.mechanism, {{"b", 3}, {"a", 0}});
  test::Draw draw(8, 0);
  const VectorXd q = draw.vector(7, 2.0);
  const VectorXd v = draw.vector(7, 2.0);
  ContactKinematics kin;
  some.kinematics(q, v, kin);
  const ContactKinematics expected = all.at(q, v);
  ASSERT_EQ(kin.gap.size(), 2);
  for (const auto& [here, there] : {std::pair<Index, Index>{0, 3}, {1, 0}}) {
    EXPECT_EQ(kin.gap[here], expected.gap[there]);
    EXPECT_EQ(kin.W_N.col(here), expected.W_N.col(there));
    EXPECT_EQ(kin.W_T.col(here), expected.W_T.col(there));
    EXPECT_EQ(kin.bias_N[here], expected.bias_N[there]);
    EXPECT_EQ(kin.bias_T[here], expected.bias_T[there]);
  }
  EXPECT_EQ(some.frame(q, 0).link, 3);
}

TEST(ContactInputTest, RefusesContactsThatDoNotFitTheMechanism) {
  EXPECT_EQ(refusal(paper_mechanism(), {{"a", 0}, {"b", 3}}), "");
  EXPECT_THAT(refusal(paper_mechanism(), {{"a", 0}, {"b", 4}}), HasSubstr("contact b is on link 4 of 4"));
  EXPECT_THAT(refusal(paper_mechanism(), {{"a", -1}}),
              HasSubstr("contact a must be on a link or on a half-plane"));
  EXPECT_THAT(refusal(paper_mechanism(), {{"a", 0}, {"a", 1}}), HasSubstr("two contacts are named a"));
  EXPECT_THAT(refusal(nullptr, {}), HasSubstr("no mechanism"));
  const auto shapeless = std::make_shared<mechanics::PlanarGraspMechanism>(
      mechanics::PlanarHand(test::paper_arms(), Vector2d::Zero()), mechanics::PlanarObject{});
  EXPECT_THAT(refusal(shapeless, {}), HasSubstr("the object has no shape"));
}

TEST(ContactInputTest, RefusesStatesAndContactsThatDoNotExist) {
  const Scene scene(test::paper_arms(), test::ellipse_shape(0.15, 0.11));
  const VectorXd good = VectorXd::Zero(7);
  const VectorXd bad = VectorXd::Zero(6);
  ContactKinematics kin;
  EXPECT_THROW(scene.contacts.kinematics(bad, good, kin), InvalidArgument);
  EXPECT_THROW(scene.contacts.kinematics(good, bad, kin), InvalidArgument);
  EXPECT_THROW(static_cast<void>(scene.contacts.frame(bad, 0)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(scene.contacts.frame(good, 4)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(scene.contacts.frame(good, -1)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(scene.contacts.close(VectorXd::Zero(2))), InvalidArgument);
  EXPECT_THROW(static_cast<void>(scene.contacts.close(VectorXd{{0.0, std::nan(""), 0.0}})), InvalidArgument);
}

}  // namespace
}  // namespace enfold::contact

// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/models/grasp_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "enfold/base/error.hpp"
#include "enfold/io/scenario_file.hpp"
#include "enfold/test/source_dir.hpp"

namespace enfold::models {
namespace {

io::Scenario paper() {
  const std::string path = test::source_dir() + "/scenarios/song2001-rotate.yaml";
  return io::read_scenario(path);
}

TEST(GraspModelTest, BuildsThePapersHandAndClosesIt) {
  const GraspModel model = make_grasp_model(paper());
  EXPECT_EQ(model.mechanism->n_v(), 7);
  EXPECT_EQ(model.mechanism->joint_names(),
            (std::vector<std::string>{"left.proximal", "left.distal", "right.proximal", "right.distal"}));
  EXPECT_EQ(model.contacts->n_contacts(), 4);
  EXPECT_EQ(model.mu, VectorXd::Constant(4, 0.1));
  const auto& start = paper().task.start;
  const auto closure = model.contacts->close((VectorXd(3) << start.x, start.y, start.phi).finished());
  EXPECT_TRUE(closure.closed()) << closure.message;
}

TEST(GraspModelTest, ContactsFollowTheScenariosOrderOfNames) {
  io::Scenario s = paper();
  std::swap(s.contacts[0], s.contacts[3]);
  s.contacts[0].mu = 0.7;
  const GraspModel model = make_grasp_model(s);
  EXPECT_EQ(model.contacts->link_of(0), 3);
  EXPECT_EQ(model.mu[0], 0.7);
}

TEST(GraspModelTest, ReaderAndRegistryKnowTheSameShapes) {
  const auto& shapes = io::scenario_shapes();
  EXPECT_EQ(shape_names(), std::vector<std::string>(shapes.begin(), shapes.end()));
  const auto circle = make_shape({"circle", {0.2, 0.2}});
  for (const double beta : {0.0, 0.4, 2.0}) EXPECT_DOUBLE_EQ(circle->support(beta).h, 0.2);
}

TEST(GraspModelTest, WhatCannotBeBuiltIsAScenarioErrorThatNamesIt) {
  io::Scenario s = paper();
  s.object.shape.type = "banana";
  EXPECT_THROW((void)make_grasp_model(s), ScenarioError);
  s = paper();
  s.contacts[1].link = "left.thumb";
  EXPECT_THROW((void)make_grasp_model(s), ScenarioError);
  s = paper();
  s.hand.arms[0].links[0].mass = -1.0;
  EXPECT_THROW((void)make_grasp_model(s), ScenarioError);
}

}  // namespace
}  // namespace enfold::models

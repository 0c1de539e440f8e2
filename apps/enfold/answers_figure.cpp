// SPDX-License-Identifier: BSD-3-Clause
#include "answers_figure.hpp"

#include "enfold/base/require.hpp"
#include "snapshot_figure.hpp"

namespace enfold::app {

figure::Figure answers_figure(const Setup& setup, const InstantStudy& study, const std::string& title) {
  ENFOLD_REQUIRE(study.answers && !study.answers->answers.empty(),
                 "answers_figure: the instant has no answers to draw");
  const GraspInstant& instant = study.at;
  sim::History history;
  history.names.contacts = setup.model.contacts->names();
  sim::Sample pose;
  pose.time = instant.time;
  pose.x = instant.motion.reference.x;
  pose.theta = instant.motion.theta;
  std::vector<figure::Label> titles;
  for (const uniqueness::ContactAnswer& answer : study.answers->answers) {
    sim::Sample& sample = history.samples.emplace_back(pose);
    sample.lambda_N = sample.lambda_T = VectorXd::Zero(setup.model.contacts->n_contacts());
    std::string forces;
    for (std::size_t row = 0; row < instant.rows.contacts.size(); ++row) {
      const Index contact = instant.rows.contacts[row];
      const auto r = static_cast<Index>(row);
      const double slip = contact::slip_sign(instant.motion.modes[static_cast<std::size_t>(contact)]);
      sample.lambda_N[contact] = answer.lambda_N[r];
      sample.lambda_T[contact] = -slip * instant.mu[r] * answer.lambda_N[r];
      forces += fmt::format("{}{:.2f}", forces.empty() ? "" : ", ", answer.lambda_N[r]);
    }
    titles.emplace_back(fmt::format("λ_N = {} N", forces), figure::Markup::kSubscripts);
  }
  std::vector<Scene> scenes;
  for (std::size_t i = 0; i < titles.size(); ++i) scenes.push_back({&history.samples[i], titles[i]});
  return scenes_figure({.history = history, .model = setup.model, .title = title}, scenes);
}

}  // namespace enfold::app

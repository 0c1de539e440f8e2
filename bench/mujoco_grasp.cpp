// SPDX-License-Identifier: BSD-3-Clause
#include "mujoco_grasp.hpp"

#include <fmt/format.h>
#include <mujoco/mujoco.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <vector>

namespace enfold::bench {
namespace {

constexpr double kRadius = 1e-3;  // of the capsules [m]

std::string link_xml(const mechanics::PlanarHand& hand, Index l) {
  const mechanics::PlanarLink& link = hand.link(l);
  return fmt::format(
      R"(<joint name="{0}" type="hinge" axis="0 0 1"/>
      <inertial pos="{1} {2} 0" mass="{3}" diaginertia="{4} {4} {4}"/>
      <geom type="capsule" fromto="0 0 0 {5} 0 0" size="{6}" friction="{7} 0 0" contype="1" conaffinity="2"/>)",
      hand.link_names()[static_cast<std::size_t>(l)], link.com.x(), link.com.y(), link.mass, link.inertia,
      link.length, kRadius, kMu);
}

std::string arm_xml(const mechanics::PlanarHand& hand, Index first, const mechanics::PlanarArm& arm) {
  std::string xml;
  std::string closing;
  double x = arm.base.x();
  double y = arm.base.y();
  for (std::size_t i = 0; i < arm.links.size(); ++i) {
    xml += fmt::format("<body pos=\"{} {} 0\">{}", x, y, link_xml(hand, first + static_cast<Index>(i)));
    closing += "</body>";
    x = arm.links[i].length;
    y = 0.0;
  }
  return xml + closing;
}

std::string model_xml(const SettledGrasp& grasp) {
  const mechanics::PlanarHand& hand = grasp.mechanism->hand();
  const mechanics::PlanarObject& object = grasp.mechanism->object();
  std::string arms;
  std::string motors;
  Index first = 0;
  for (const mechanics::PlanarArm& arm : hand.arms()) {
    arms += arm_xml(hand, first, arm);
    first += static_cast<Index>(arm.links.size());
  }
  for (const std::string& name : hand.link_names()) motors += fmt::format("<motor joint=\"{}\"/>", name);
  return fmt::format(
      R"(<mujoco>
  <option timestep="0.001" gravity="0 0 0"/>
  <compiler angle="radian" inertiafromgeom="false"/>
  <worldbody>
    {0}
    <body name="object">
      <joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="hinge" axis="0 0 1"/>
      <inertial pos="0 0 0" mass="{1}" diaginertia="{2} {2} {2}"/>
      <geom type="ellipsoid" size="{5} {6} 0.05" friction="{3} 0 0" contype="2" conaffinity="1"/>
    </body>
  </worldbody>
  <actuator>{4}</actuator>
</mujoco>
)",
      arms, object.mass, object.inertia, kMu, motors, 0.15 - kRadius, 0.11 - kRadius);
}

/// mj_loadXML reads files only, so the model passes through a temporary one.
mjModel* load(const std::string& xml) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / fmt::format("enfold-bench-{}.xml", ::getpid());
  std::ofstream(file) << xml;
  std::array<char, 1000> error{};
  mjModel* model = mj_loadXML(file.c_str(), nullptr, error.data(), static_cast<int>(error.size()));
  std::filesystem::remove(file);
  if (model == nullptr) throw std::runtime_error(fmt::format("MuJoCo refuses the model: {}", error.data()));
  return model;
}

}  // namespace

struct MujocoGrasp::Impl {
  mjModel* model = nullptr;
  mjData* data = nullptr;
  std::vector<mjtNum> qpos, qvel, warm;
  Vector2d start = Vector2d::Zero();
  int object_dof = 0;

  ~Impl() {
    mj_deleteData(data);
    mj_deleteModel(model);
  }
};

MujocoGrasp::MujocoGrasp(const SettledGrasp& grasp, int settle_steps) : impl_{std::make_unique<Impl>()} {
  Impl& m = *impl_;
  m.model = load(model_xml(grasp));
  m.data = mj_makeData(m.model);
  const Index n_theta = grasp.mechanism->n_theta();
  const Index n_x = grasp.mechanism->n_x();
  m.object_dof = static_cast<int>(n_theta);  // the arms' joints come first in the model
  for (Index i = 0; i < n_theta; ++i) {
    m.data->qpos[i] = grasp.q[n_x + i];
    m.data->ctrl[i] = grasp.tau[i];
  }
  for (Index i = 0; i < n_x; ++i) m.data->qpos[n_theta + i] = grasp.q[i];
  m.start = grasp.q.head<2>();
  for (int i = 0; i < settle_steps; ++i) mj_step(m.model, m.data);
  m.qpos.assign(m.data->qpos, m.data->qpos + m.model->nq);
  m.qvel.assign(m.data->qvel, m.data->qvel + m.model->nv);
  for (Index i = 0; i < n_theta; ++i) m.qvel[static_cast<std::size_t>(i)] += grasp.v[n_x + i];
  for (Index i = 0; i < n_x; ++i) m.qvel[static_cast<std::size_t>(n_theta + i)] += grasp.v[i];
  m.warm.assign(m.data->qacc_warmstart, m.data->qacc_warmstart + m.model->nv);
}

MujocoGrasp::~MujocoGrasp() = default;
MujocoGrasp::MujocoGrasp(MujocoGrasp&&) noexcept = default;

void MujocoGrasp::restore() {
  std::copy(impl_->qpos.begin(), impl_->qpos.end(), impl_->data->qpos);
  std::copy(impl_->qvel.begin(), impl_->qvel.end(), impl_->data->qvel);
  std::copy(impl_->warm.begin(), impl_->warm.end(), impl_->data->qacc_warmstart);
}

void MujocoGrasp::step() {
  mj_step(impl_->model, impl_->data);
}

int MujocoGrasp::n_contacts() const {
  return impl_->data->ncon;
}

double MujocoGrasp::penetration() const {
  double deepest = 0.0;
  for (int i = 0; i < impl_->data->ncon; ++i) deepest = std::max(deepest, -impl_->data->contact[i].dist);
  return deepest;
}

double MujocoGrasp::displacement() const {
  const mjtNum* x = impl_->data->qpos + impl_->object_dof;
  return std::hypot(x[0] - impl_->start.x(), x[1] - impl_->start.y());
}

std::string MujocoGrasp::version() {
  return mj_versionString();
}

}  // namespace enfold::bench

// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/closure/contact_wrenches.hpp"

#include <cmath>
#include <numbers>

#include "enfold/base/require.hpp"

namespace enfold::closure {
namespace {

void require_friction(const VectorXd& mu, Index n) {
  ENFOLD_REQUIRE(n >= 1 && mu.size() == n, "contact_wrenches: {} friction coefficients for {} contacts",
                 mu.size(), n);
  for (Index i = 0; i < n; ++i)
    ENFOLD_REQUIRE(std::isfinite(mu[i]) && mu[i] >= 0.0, "contact_wrenches: mu of contact {} is {}", i,
                   mu[i]);
}

VectorXd wrench_of(const VectorXd& arm, const VectorXd& force) {
  if (force.size() == 2) return Eigen::Vector3d{force[0], force[1], arm[0] * force[1] - arm[1] * force[0]};
  VectorXd wrench(6);
  wrench << force, Eigen::Vector3d(arm).cross(Eigen::Vector3d(force));
  return wrench;
}

/// Unit tangents towards the edges of a friction cone.
MatrixXd edge_tangents(const VectorXd& normal, Index edges) {
  if (normal.size() == 2) {
    MatrixXd out(2, 2);
    out << -normal[1], normal[1], normal[0], -normal[0];
    return out;
  }
  const Eigen::Vector3d n = normal;
  const Eigen::Vector3d a = n.unitOrthogonal();
  const Eigen::Vector3d b = n.cross(a);
  MatrixXd out(3, edges);
  for (Index j = 0; j < edges; ++j) {
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(edges);
    out.col(j) = std::cos(angle) * a + std::sin(angle) * b;
  }
  return out;
}

class Columns {
 public:
  explicit Columns(ContactWrenches& out) : out_{out} {}
  void add(Index contact, const VectorXd& wrench) {
    out_.W.conservativeResize(wrench.size(), out_.W.cols() + 1);
    out_.W.rightCols<1>() = wrench;
    out_.contact_of.push_back(contact);
  }

 private:
  ContactWrenches& out_;
};

}  // namespace

VectorXd ContactWrenches::scales() const {
  VectorXd out = VectorXd::Constant(n_w(), 1.0 / length);
  out.head(n_force).setOnes();
  return out;
}

MatrixXd ContactWrenches::scaled() const {
  return scales().asDiagonal() * W;
}

ContactWrenches contact_wrenches(const MatrixXd& points, const MatrixXd& normals, const VectorXd& mu,
                                 const VectorXd& about, Index edges) {
  const Index d = points.rows();
  const Index n = points.cols();
  ENFOLD_REQUIRE(d == 2 || d == 3, "contact_wrenches: points have {} coordinates, expected 2 or 3", d);
  ENFOLD_REQUIRE(normals.rows() == d && normals.cols() == n && about.size() == d,
                 "contact_wrenches: {} points of {} coordinates, {} normals of {}, a centre of {}", n, d,
                 normals.cols(), normals.rows(), about.size());
  ENFOLD_REQUIRE(points.allFinite() && normals.allFinite() && about.allFinite(),
                 "contact_wrenches: a point or normal is not finite ({} contacts)", n);
  ENFOLD_REQUIRE(edges >= 3, "contact_wrenches: {} edges of a friction cone, expected 3 or more", edges);
  require_friction(mu, n);
  ContactWrenches out;
  out.n_contacts = n;
  out.n_force = d;
  out.length = 1e-9;
  Columns columns(out);
  for (Index i = 0; i < n; ++i) {
    const VectorXd normal = normals.col(i);
    ENFOLD_REQUIRE(std::abs(normal.norm() - 1.0) <= 1e-9,
                   "contact_wrenches: contact {} normal has norm {}, expected 1 ± 1e-9", i, normal.norm());
    const VectorXd arm = points.col(i) - about;
    out.length = std::max(out.length, arm.norm());
    if (mu[i] == 0.0) {
      columns.add(i, wrench_of(arm, normal));
      continue;
    }
    const MatrixXd tangents = edge_tangents(normal, edges);
    for (Index j = 0; j < tangents.cols(); ++j)
      columns.add(i, wrench_of(arm, normal + mu[i] * tangents.col(j)));
  }
  return out;
}

ContactWrenches contact_wrenches(const contact::ContactKinematics& kinematics, const VectorXd& mu, Index n_x,
                                 Index n_force, double length) {
  const Index n = kinematics.W_N.cols();
  ENFOLD_REQUIRE(kinematics.W_T.cols() == n && kinematics.W_N.rows() >= n_x && n_force <= n_x,
                 "contact_wrenches: {} tangents for {} contacts, {} rows for {} coordinates",
                 kinematics.W_T.cols(), n, kinematics.W_N.rows(), n_x);
  ENFOLD_REQUIRE(std::isfinite(length) && length > 0.0, "contact_wrenches: length is {} m, expected > 0",
                 length);
  require_friction(mu, n);
  ContactWrenches out;
  out.n_contacts = n;
  out.n_force = n_force;
  out.length = length;
  Columns columns(out);
  for (Index i = 0; i < n; ++i) {
    const VectorXd normal = kinematics.W_N.col(i).head(n_x);
    const VectorXd tangent = kinematics.W_T.col(i).head(n_x);
    if (mu[i] == 0.0) {
      columns.add(i, normal);
      continue;
    }
    columns.add(i, normal + mu[i] * tangent);
    columns.add(i, normal - mu[i] * tangent);
  }
  return out;
}

}  // namespace enfold::closure

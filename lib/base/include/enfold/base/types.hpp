// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

namespace enfold {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Index = Eigen::Index;
using Vector2d = Eigen::Vector2d;

}  // namespace enfold

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gmock/gmock.h>

#include <Eigen/Dense>

namespace enfold::test {

/// Every entry of `arg − expected` is at most `tol` in size.
MATCHER_P2(EigenNear, expected, tol, "is within the tolerance of the expected matrix") {
  if (arg.rows() != expected.rows() || arg.cols() != expected.cols()) {
    *result_listener << "size " << arg.rows() << "x" << arg.cols() << ", expected " << expected.rows() << "x"
                     << expected.cols();
    return false;
  }
  const double error = arg.size() == 0 ? 0.0 : (arg - expected).cwiseAbs().maxCoeff();
  *result_listener << "largest difference " << error << "\ngot\n" << arg << "\nexpected\n" << expected;
  return error <= tol;
}

}  // namespace enfold::test

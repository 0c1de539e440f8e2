// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "enfold/lcp/p_matrix.hpp"
#include "enfold/uniqueness/certify.hpp"

namespace enfold::uniqueness::detail {

/// The coefficients that enter and can vary: those that make vertices.
[[nodiscard]] inline std::vector<Index> varying(const FrictionFamily& family, const FrictionBox& box) {
  std::vector<Index> out;
  for (Index j = 0; j < family.size(); ++j)
    if (family.enters(j) && box.lower[j] < box.upper[j]) out.push_back(j);
  return out;
}

/// Vertex number `mask` of a box: bit k set takes the upper end of coefficient free[k].
inline void set_vertex(const FrictionBox& box, const std::vector<Index>& free, std::uint32_t mask,
                       VectorXd& mu) {
  mu = box.lower;
  for (std::size_t k = 0; k < free.size(); ++k)
    if ((mask >> k & 1U) != 0) mu[free[k]] = box.upper[free[k]];
}

/// What the vertices of a box say: the smallest minor of all, and the first vertex that is not P or hidden.
struct VertexScan {
  lcp::PMatrixStatus status = lcp::PMatrixStatus::kP;
  lcp::PrincipalMinor smallest;
  VectorXd smallest_at;
  lcp::PrincipalMinor witness_minor;
  VectorXd witness;
};

/// A refuted vertex ends the scan; a hidden one does not.
[[nodiscard]] VertexScan scan_vertices(const FrictionFamily& family, const FrictionBox& box,
                                       lcp::PMatrixTester& tester);

}  // namespace enfold::uniqueness::detail

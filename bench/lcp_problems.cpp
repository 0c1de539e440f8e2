// SPDX-License-Identifier: BSD-3-Clause
#include "lcp_problems.hpp"

#include <algorithm>
#include <numeric>

namespace enfold::bench {

namespace {

constexpr double kChange = 1e-3;  // of b along a trajectory

MatrixXd random_matrix(Index rows, Index columns, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  MatrixXd A(rows, columns);
  for (double& entry : A.reshaped()) entry = normal(random);
  return A;
}

template <typename Make>
std::vector<lcp::LcpProblem> family(Index n, std::size_t count, Make make) {
  std::mt19937_64 random(static_cast<std::uint64_t>(n));
  std::vector<lcp::LcpProblem> problems;
  problems.reserve(count);
  while (problems.size() < count) problems.push_back(make(n, random));
  return problems;
}

}  // namespace

lcp::LcpProblem random_p_problem(Index n, std::mt19937_64& random) {
  const MatrixXd B = random_matrix(n, n, random);
  const MatrixXd C = random_matrix(n, n, random);
  lcp::LcpProblem problem;
  problem.A = B * B.transpose() + C - C.transpose() + 0.1 * MatrixXd::Identity(n, n);
  problem.b = random_matrix(n, 1, random);
  return problem;
}

lcp::LcpProblem redundant_contact_problem(Index n, std::mt19937_64& random) {
  MatrixXd J = random_matrix(n, (n + 1) / 2, random);
  J.rowwise().normalize();
  const VectorXd v = random_matrix(J.cols(), 1, random);
  return {J * J.transpose(), J * v};
}

MatrixXd indefinite_p_matrix(Index n, std::mt19937_64& random) {
  MatrixXd U = random_matrix(n, n, random).triangularView<Eigen::StrictlyUpper>();
  U.diagonal() = (0.5 * random_matrix(n, 1, random).array()).exp();
  Eigen::PermutationMatrix<Eigen::Dynamic> P(n);
  P.setIdentity();
  std::shuffle(P.indices().begin(), P.indices().end(), random);
  return P * U * P.transpose();
}

std::vector<lcp::LcpProblem> p_problems(Index n, std::size_t count) {
  return family(n, count, random_p_problem);
}

std::vector<lcp::LcpProblem> redundant_problems(Index n, std::size_t count) {
  return family(n, count, redundant_contact_problem);
}

std::vector<lcp::LcpProblem> trajectory(Index n, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<lcp::LcpProblem> problems{random_p_problem(n, random)};
  problems.reserve(count);
  while (problems.size() < count) {
    problems.push_back(problems.back());
    problems.back().b += kChange * random_matrix(n, 1, random);
  }
  return problems;
}

}  // namespace enfold::bench

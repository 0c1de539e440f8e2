// Is A(μ) = A₀ + A₁ diag(μ) a P-matrix: are all its principal minors positive? Then rigid contact with friction has
// one answer for every load (S4, Sec. 5.1). Matrices are arrays of rows.

// Maps need some ten thousand minors a picture: nothing is allocated for one.
const kScratch = new Float64Array(16 * 16);

/// Determinant of the rows and columns `set` of A, by elimination with row pivots.
export function minorOf(A, set) {
  const n = set.length;
  const M = kScratch;
  for (let i = 0; i < n; ++i) {
    const row = A[set[i]];
    for (let j = 0; j < n; ++j) M[i * n + j] = row[set[j]];
  }
  let det = 1;
  for (let k = 0; k < n; ++k) {
    let pivot = k;
    for (let i = k + 1; i < n; ++i) if (Math.abs(M[i * n + k]) > Math.abs(M[pivot * n + k])) pivot = i;
    const divisor = M[pivot * n + k];
    if (divisor === 0) return 0;
    if (pivot !== k) {
      for (let j = k; j < n; ++j) [M[pivot * n + j], M[k * n + j]] = [M[k * n + j], M[pivot * n + j]];
      det = -det;
    }
    det *= divisor;
    for (let i = k + 1; i < n; ++i) {
      const factor = M[i * n + k] / divisor;
      for (let j = k + 1; j < n; ++j) M[i * n + j] -= factor * M[k * n + j];
    }
  }
  return det;
}

/// All non-empty index sets of {0 … n−1}, fewest indices first.
const subsetCache = new Map();
export function subsetsOf(n) {
  if (!subsetCache.has(n)) {
    const sets = [];
    for (let mask = 1; mask < 1 << n; ++mask) {
      const set = [];
      for (let i = 0; i < n; ++i) if (mask & (1 << i)) set.push(i);
      sets.push(set);
    }
    subsetCache.set(n, sets.sort((a, b) => a.length - b.length));
  }
  return subsetCache.get(n);
}

/// A(μ); column j is affine in μ_j and depends on no other.
export function contactMatrix(A0, A1, mu) {
  return A0.map((row, i) => row.map((a, j) => a + A1[i][j] * mu[j]));
}

/// The smallest principal minor, its index set, and whether all are positive.
export function classify(A) {
  let smallest = { value: Infinity, set: [] };
  for (const set of subsetsOf(A.length)) {
    const value = minorOf(A, set);
    if (value < smallest.value) smallest = { value, set };
  }
  return { isP: smallest.value > 0, ...smallest };
}

/// A function of μ: the smallest minor of A(μ) relative to the product of the diagonal of A₀, which maps are drawn of. It has the sign
/// of the smallest minor and varies continuously with μ.
export function relativeMinor(A0, A1) {
  const sets = subsetsOf(A0.length);
  const scales = sets.map((set) => set.reduce((product, i) => product * A0[i][i], 1));
  const A = A0.map((row) => row.slice());
  return (mu) => {
    for (let i = 0; i < A.length; ++i) for (let j = 0; j < A.length; ++j) A[i][j] = A0[i][j] + A1[i][j] * mu[j];
    let least = Infinity;
    for (let s = 0; s < sets.length; ++s) least = Math.min(least, minorOf(A, sets[s]) / scales[s]);
    return least;
  };
}

/// For which values of μ_j, the others kept, is A(μ) a P-matrix? Every minor with row j is affine in μ_j,
/// det = a + b μ_j, so that each gives a half-line, and what is left of [0, ∞) is an interval. `lowerSet` and `upperSet` are the
/// sets whose minors vanish at its ends. null: for no value.
export function uniqueInterval(A0, A1, mu, j) {
  const at = (value) => contactMatrix(A0, A1, mu.map((m, i) => (i === j ? value : m)));
  const zero = at(0);
  const one = at(1);
  const out = { lower: 0, upper: Infinity, lowerSet: null, upperSet: null };
  for (const set of subsetsOf(A0.length)) {
    const a = minorOf(zero, set);
    const b = set.includes(j) ? minorOf(one, set) - a : 0;
    if (b === 0) {
      if (!(a > 0)) return null;
    } else {
      const root = -a / b;
      if (b < 0 && root < out.upper) [out.upper, out.upperSet] = [root, set];
      if (b > 0 && root > out.lower) [out.lower, out.lowerSet] = [root, set];
    }
  }
  return out.lower < out.upper ? out : null;
}

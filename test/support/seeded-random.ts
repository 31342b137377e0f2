/** Random numbers, deterministic from a seed. */
export interface SeededRandom {
  /** Uniform in (0, 1). */
  uniform(): number;
  between(low: number, high: number): number;
  normal(): number;
  beta(a: number, b: number): number;
  dirichlet(alphas: readonly number[]): number[];
  /** An index, with these probabilities (they need not add up to 1). */
  index(weights: readonly number[]): number;
}

/** One seed from several numbers, so that what is drawn for one part does not depend on what was drawn before. */
export function seedOf(...parts: readonly number[]): number {
  let hash = 0x9e3779b9;
  for (const part of parts) {
    // The finaliser of murmur3.
    hash = Math.imul(hash ^ part, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}

export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  // mulberry32
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (((t ^ (t >>> 14)) >>> 0) + 0.5) / 2 ** 32;
  };
  const normal = (): number => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  // ln of a Gamma(shape) variable (Marsaglia and Tsang 2000); a shape below 1 is boosted, in logarithms as it may underflow.
  const lnGamma = (shape: number): number => {
    if (shape < 1) return lnGamma(shape + 1) + Math.log(uniform()) / shape;
    const d = shape - 1 / 3;
    for (;;) {
      const z = normal();
      const v = (1 + z / Math.sqrt(9 * d)) ** 3;
      if (v > 0 && Math.log(uniform()) < 0.5 * z * z + d - d * v + d * Math.log(v)) return Math.log(d * v);
    }
  };
  const dirichlet = (alphas: readonly number[]): number[] => {
    const logs = alphas.map(lnGamma);
    const largest = Math.max(...logs);
    const values = logs.map((ln) => Math.exp(ln - largest));
    const total = values.reduce((sum, value) => sum + value, 0);
    return values.map((value) => value / total);
  };
  return {
    uniform,
    between: (low, high) => low + (high - low) * uniform(),
    normal,
    dirichlet,
    beta: (a, b) => dirichlet([a, b])[0] ?? 0,
    index(weights) {
      let left = uniform() * weights.reduce((sum, weight) => sum + weight, 0);
      return Math.max(
        0,
        weights.findIndex((weight) => (left -= weight) < 0),
      );
    },
  };
}

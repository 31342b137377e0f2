/** From here on Stirling's series is good to eight decimals. */
const LARGE = 10;

/** ln Γ(x) for x above 0: Stirling's series, and the recurrence Γ(x + 1) = x Γ(x) below it. */
export function lnGamma(x: number): number {
  let [from, below] = [x, 0];
  for (; from < LARGE; from += 1) below += Math.log(from);
  return (
    (from - 0.5) * Math.log(from) - from + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * from) - 1 / (360 * from ** 3) - below
  );
}

/** Why no test finds a change, by the file and the change: `src/domain/…: was → becomes`. */
export const REASONS: Readonly<Record<string, string>> = {
  'src/domain/policy/default-policy.ts: \'release 1: it denied a slip that stood on the disposable lists, and let every other one in\' → ""':
    'a reason for readers: nothing reads it',
  'src/domain/policy/default-policy.ts: EARLIER_DEFAULTS.some((earlier) => earlier.sha256 === sha256) → EARLIER_DEFAULTS.every(earlier => earlier.sha256 === sha256)':
    'the same while the list has one entry',
  'src/domain/policy/compile.ts: text !== lastRead.text → true':
    'the same, slower: what is remembered is what folding the text gives again',
  "src/domain/policy/conditions.ts: typeof value === 'string' → true":
    'the same of a country: every code is a text, so no other value is among them',
  'src/domain/policy/facts.ts: member === undefined → false':
    'the same: a path whose value is undefined is read like one without a value',
  'src/domain/policy/facts.ts: \'icp\' → ""':
    'the same: the fit has a value then, and whether a source is known is read only of a path without one',
  'src/domain/policy/simulate.ts: a.kind < b.kind → a.kind <= b.kind': 'the same: each kind is there once',
  'src/domain/policy/values.ts: true → false':
    'the same: a member’s value is never read, and the type refuses any other',
  'src/domain/policy/icp.ts: profile === null || dimensions.length === 0 → false':
    'the same: without dimensions nothing is known, which the next check says',
  'src/domain/policy/icp.ts: profile === null || dimensions.length === 0 → profile === null && dimensions.length === 0':
    'the same: a missing profile has no dimensions, and without dimensions nothing is known',
  'src/domain/policy/icp.ts: profile === null → false': 'the same: a missing profile has no dimensions',
  'src/domain/policy/icp.ts: dimensions.length === 0 → false':
    'the same: without dimensions nothing is known, which the next check says',
  'src/domain/policy/experiment.ts: (Number.parseInt(digits, 16) / SHARES) * 100 < experiment.weight → Number.parseInt(digits, 16) / SHARES * 100 <= experiment.weight':
    'differs for one hash of four billion',
  "src/domain/policy/enrichment/plan.ts: wants !== 'both' → true":
    'the same: where both are wanted now, none is left for later',
  'src/domain/policy/enrichment/plan.ts: \'both\' → ""': 'the same: where both are wanted now, none is left for later',
  'src/domain/rules/domain-entry.ts: false → true':
    'the same: the options matter only for texts that are not plain names, and such a text never equals its suffix',
  'src/domain/verification/answer.ts: answer.at >= other.at → answer.at > other.at':
    'differs for two answers of one provider within a millisecond: callers may read either',
  'src/domain/verification/evidence.ts: Math.abs(one) < Math.abs(least) → Math.abs(one) <= Math.abs(least)':
    'differs where two providers’ words are equally strong: callers may read either',
  'src/domain/verification/evidence.ts: mass += cell.alpha * ((counts[column] ?? 0) / totalOf(counts)) → mass -= cell.alpha * ((counts[column] ?? 0) / totalOf(counts))':
    'the same: only the ratio of two such sums is read, and both change sign',
  'src/domain/verification/evidence.ts: total += cell.alpha → total -= cell.alpha':
    'the same: only the ratio of two such sums is read, and both change sign',
  'src/domain/verification/model.ts: \'seed-2\' → ""': 'a name: a test could only state it again',
  'src/domain/verification/provider-terms.ts: false → true':
    'a vendor’s terms, as data: a test could only state them again',
  'src/domain/verification/provider-terms.ts: true → false':
    'a vendor’s terms, as data: a test could only state them again',
  'src/domain/verification/provider-terms.ts: \'zerobounce\' → ""': 'the same: still a name that no other vendor has',
  'src/domain/verification/provider-terms.ts: \'neverbounce\' → ""': 'the same: still a name that no other vendor has',
  'src/domain/verification/provider-terms.ts: \'kickbox\' → ""': 'the same: still a name that no other vendor has',
  'src/domain/verification/provider-terms.ts: \'emailable\' → ""': 'the same: still a name that no other vendor has',
  'src/domain/verification/provider-terms.ts: \'bouncer\' → ""': 'the same: still a name that no other vendor has',
  'src/domain/verification/provider-terms.ts: \'hunter\' → ""': 'the same: still a name that no other vendor has',
  'src/domain/verification/provider-terms.ts: \'reacher\' → ""': 'the same: still a name that no other vendor has',
  'src/domain/verification/level-update.ts: at < found.length → at <= found.length':
    'the same: a write past a typed array’s end is dropped',
  'src/domain/verification/level-update.ts: reports.list.length === reports.domain.length → false':
    'the same, slower: of the same reports it works out the same again',
  'src/domain/verification/report-gate.ts: other.at > at → other.at >= at':
    'the same: a report of that very moment is of the same day, so it is held back too',
  'src/domain/verification/report-gate.ts: known.set(name, found); → ;':
    'the same, slower: what is remembered is what would be found again',
  'src/domain/verification/provider-health.ts: openUntil !== null → true':
    'the same: null compares as 0, and no call is before 1970',
  'src/domain/verification/provider-health.ts: [] → ["Stryker was here"]':
    'the same: what has no time counts as no recent call, and is the first to be dropped',
  'src/domain/verification/level-sums.ts: at < this.width → at <= this.width':
    'the same: what lies beyond the width of what is added counts as 0, and a write past an array’s end is dropped',
};

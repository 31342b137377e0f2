const COLLECTED =
  '`row-fit-posterior.test.ts` finds it when it is applied by hand: it fits while tests are collected, which Stryker does not count as theirs';

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
  'src/domain/verification/filter.ts: years > 0 → true': 'the same, slower: no time changes nothing',
  'src/domain/verification/filter.ts: years > 0 → years >= 0': 'the same, slower: no time changes nothing',
  'src/domain/verification/filter.ts: answer < ANSWER_COUNT → answer <= ANSWER_COUNT':
    'the same: beyond the last answer the host’s shares count as 0',
  'src/domain/verification/posterior.ts: place < masses.length → place <= masses.length':
    'the same: beyond the masses 0 is added',
  'src/domain/verification/posterior.ts: answer < ANSWER_COUNT → answer <= ANSWER_COUNT':
    'the same: beyond the last answer each variance counts as 0',
  "src/domain/verification/posterior.ts: kind === 'report' → true":
    'the same, slower: it looks further back than the first report',
  'src/domain/verification/posterior.ts: begin === -1 → false': 'the same, slower: without a report nothing is added',
  'src/domain/verification/posterior.ts: joint === undefined → false':
    'the same: each sighting has masses; the check is the type’s',
  'src/domain/verification/posterior.ts: later === undefined → false':
    'the same: each report has a look back; the check is the type’s',
  'src/domain/verification/posterior.ts: sum += (joint[place + answer] ?? 0) * (later[back + answer] ?? 0) → sum -= (joint[place + answer] ?? 0) * (later[back + answer] ?? 0)':
    'the same: only the ratio of two such sums is read, and both change sign',
  'src/domain/verification/posterior.ts: sum += joint[placeOf(kind, from, now) + answer] ?? 0 → sum -= joint[placeOf(kind, from, now) + answer] ?? 0':
    'the same: what follows from it is squared',
  'src/domain/verification/evidence-shifts.ts: domain === null && list === null → false':
    'the same, slower: without levels the state is the stranger’s, and nothing is added',
  'src/domain/verification/evidence-shifts.ts: shift > 0 → shift >= 0':
    'differs where neighbours move nothing at all: either name is as true then',
  'src/domain/verification/expected-spend.ts: weight < NEGLIGIBLE → weight <= NEGLIGIBLE':
    'differs where an answer is exactly as likely as the bound',
  'src/domain/verification/expected-spend.ts: \'\' → "Stryker was here!"':
    'the same: the domain’s name is not read here',
  'src/domain/verification/expected-spend.ts: [] → ["Stryker was here"]':
    'the same of proofs: the levels of a domain read none',
  'src/domain/verification/expected-spend.ts: { purpose, at: now } → {}':
    'the same: it decides only whether later signups of the day count, and none follows here',
  'src/domain/verification/lookahead.ts: failureRate === 0 → false':
    'the same, slower: what is added is 0 times a number',
  'src/domain/verification/sightings.ts: \'\' → "Stryker was here!"': 'the same: no source has that name',
  'src/domain/metering/usage.ts: !(ms >= lastMonth.fromMs && ms < lastMonth.toMs) → true':
    'the same, slower: the month is worked out again',
  'src/domain/metering/usage.ts: ms >= lastMonth.fromMs && ms < lastMonth.toMs → false':
    'the same, slower: the month is worked out again',
  'src/domain/metering/usage.ts: ms >= lastMonth.fromMs → ms > lastMonth.fromMs':
    'the same: a month’s first instant is worked out again',
  'src/domain/calibration/list-level.ts: [] → ["Stryker was here"]':
    'the same: each list has levels; the fallback is the type’s',
  'src/domain/calibration/list-level.ts: each.score > best.score → each.score >= best.score':
    'differs where two levels are exactly as likely: either is as true then',
  'src/domain/calibration/shared-mistakes.ts: best - (scores[0] ?? best) < CLEARLY → best - (scores[0] ?? best) <= CLEARLY':
    'differs where a share is exactly twenty times as likely as none',
  'src/domain/calibration/accepts-all-level.ts: acceptsAllShareOf(model, row) > SURELY → acceptsAllShareOf(model, row) >= SURELY':
    'differs where a share is exactly the bound',
  'src/domain/calibration/accepts-all-level.ts: sign * slopeAt(model, there, sign * level) > 0 → sign * slopeAt(model, there, sign * level) >= 0':
    'the same, slower: without rows the sign is 0, and so is its product with where the search ends',
  'src/domain/calibration/accepts-all-level.ts: sign * slopeAt(model, there, sign * level) → sign / slopeAt(model, there, sign * level)':
    'the same: only the sign is read',
  'src/domain/calibration/accepts-all-level.ts: left > 0 → left >= 0':
    'one halving more: nearer than the level has to be',
  'src/domain/verification/host-tables.ts: meanAt(middle) < rate → meanAt(middle) <= rate':
    'the same: where a halving meets the rate exactly, either half closes in on it',
  'src/domain/verification/host-tables.ts: logOdds + move → logOdds - move':
    'the same: levels lie evenly on both sides, and are as frequent there',
  'src/domain/verification/host-tables.ts: Math.abs(rate - rateBy(model.centre)) > EQUAL → Math.abs(rate - rateBy(model.centre)) >= EQUAL':
    'differs where two rates are apart by exactly the bound',
  'src/domain/verification/first-state.ts: [] → ["Stryker was here"]': 'the same: every purpose has its shares',
  'src/domain/verification/first-state.ts: at < values.length → at <= values.length':
    'the same: nothing reads beyond the last level',
  'src/domain/verification/first-state.ts: level < DOMAIN_STEPS → level <= DOMAIN_STEPS':
    'the same: beyond the last level the weight is 0',
  'src/domain/verification/first-state.ts: listLevel < LIST_LEVELS → listLevel <= LIST_LEVELS':
    'the same: beyond the last level the weight is 0',
  'src/domain/verification/first-state.ts: first += weight * shown → first -= weight * shown':
    'the same: what follows from it is squared',
  'src/domain/verification/first-state.ts: factor > most → factor >= most':
    'the same: at the bound the odds are multiplied by 1',
  'src/domain/verification/first-state.ts: domain === null && list === null → false':
    'the same, slower: the state is the stranger’s, and no bound changes it',
  'src/domain/verification/first-state.ts: false → true':
    'the same: an address without a part of its own has none to take out',
  'src/domain/verification/first-state.ts: domain === null → false':
    'the same, slower: without levels nothing moves the odds',
  'src/domain/verification/first-state.ts: sum + weight → sum - weight':
    'the same: only the ratio of two such sums is read, and both change sign',
  'src/domain/verification/first-state.ts: moved <= CLEARLY.strict.odds → moved < CLEARLY.strict.odds':
    'differs where the odds are moved by exactly the bound',
  'src/domain/verification/first-state.ts: moved >= CLEARLY.acceptsAll.odds → moved > CLEARLY.acceptsAll.odds':
    'differs where the odds are moved by exactly the bound',
  'src/domain/verification/first-state.ts: odds / (1 + odds) >= CLEARLY.acceptsAll.probability → odds / (1 + odds) > CLEARLY.acceptsAll.probability':
    'differs where it is exactly as likely as the bound',
  'src/domain/verification/history-codec.ts: at < steps.length → at <= steps.length':
    'the same: a write past an array’s end is dropped',
  'src/domain/verification/level-sweep.ts: one.at > other.at → one.at >= other.at': 'the same: the times differ there',
  'src/domain/verification/level-sweep.ts: address.list !== null → true':
    'the same, slower: nothing reads a sum of no list',
  'src/domain/verification/level-sweep.ts: at !== null → true': 'the same, slower: nothing reads a rest of no list',
  'src/domain/verification/level-sweep.ts: list === null → false':
    'the same, slower: there are no sums of no list; the check is the type’s',
  'src/domain/verification/level-sweep.ts: list !== null → true':
    'the same, slower: nothing reads the marks of no list',
  'src/domain/verification/level-sweep.ts: Math.abs(Math.max(UNLIKELY, before) - Math.max(UNLIKELY, value)) <= LEVELS_OFF → Math.abs(Math.max(UNLIKELY, before) - Math.max(UNLIKELY, value)) < LEVELS_OFF':
    'differs where a level is off by exactly the bound',
  'src/domain/verification/level-sweep.ts: Math.abs((rest.values[at] ?? 0) * fade - value) <= LEVELS_OFF → Math.abs((rest.values[at] ?? 0) * fade - value) < LEVELS_OFF':
    'differs where a level is off by exactly the bound',
  'src/domain/calibration/reliability.ts: others[at]?.predicted → others[at].predicted':
    'the same: both lists are of the same outcomes; the check is the type’s',
  'src/domain/calibration/calibrate.ts: \'the likeliest is never ruled out\' → ""':
    'never thrown: the likeliest is never ruled out',
  'src/domain/calibration/calibrate.ts: lightest === undefined || heaviest === undefined → false':
    'the same: the likeliest is never ruled out; the check is the type’s',
  'src/domain/calibration/calibrate.ts: lightest === undefined || heaviest === undefined → lightest === undefined && heaviest === undefined':
    'the same: the likeliest is never ruled out; the check is the type’s',
  'src/domain/calibration/calibrate.ts: lightest === undefined → false':
    'the same: the likeliest is never ruled out; the check is the type’s',
  'src/domain/calibration/calibrate.ts: heaviest === undefined → false':
    'the same: the likeliest is never ruled out; the check is the type’s',
  'src/domain/calibration/calibrate.ts: best - logLikelihood <= RULED_OUT → best - logLikelihood < RULED_OUT':
    'differs where a trust makes the traces exactly 100 times less likely',
  'src/domain/calibration/variance-factor.ts: [] → ["Stryker was here"]':
    'the same: each provider has rows; the fallback is the type’s',
  'src/domain/calibration/variance-factor.ts: ofProviders[provider]?.[at] → ofProviders[provider][at]':
    'the same: each provider has rows; the check is the type’s',
  'src/domain/calibration/variance-factor.ts: each.score > best.score → each.score >= best.score':
    'differs where two factors are exactly as likely: either is as true then',
  'src/domain/calibration/fit.ts: pass < PASSES → pass <= PASSES':
    'differs by one pass after 40: either is as near to the likeliest',
  'src/domain/calibration/row-counts.ts: domain === null && list === null → false':
    'the same, slower: without neighbours the address is a stranger either way',
  'src/domain/calibration/row-counts.ts: sightings.at(-1)?.at ?? row.now → sightings.at(-1)?.at && row.now':
    'the same: what lands and what bounces at the end are both counted, whenever that is',
  'src/domain/calibration/row-counts.ts: -1 → +1':
    'the same: what lands and what bounces at the end are both counted, whenever that is',
  'src/domain/calibration/row-counts.ts: later === undefined → false':
    'the same: both lists are of the same sightings; the check is the type’s',
  'src/domain/calibration/row-counts.ts: [] → ["Stryker was here"]':
    'the same: both lists are of the same sightings; the fallback is the type’s',
  'src/domain/calibration/row-counts.ts: shares === undefined → false':
    'the same: each sighting has its shares; the check is the type’s',
  'src/domain/calibration/row-counts.ts: \'\' → "Stryker was here!"':
    'the same: each report of a row names its source; the fallback is the type’s',
  'src/domain/calibration/row-counts.ts: host.rows[PROVIDER_IDS.indexOf(seen.of.provider)]?.forEach → host.rows[PROVIDER_IDS.indexOf(seen.of.provider)].forEach':
    'the same: each provider has rows; the check is the type’s',
  'src/domain/calibration/row-counts.ts: place < shares.length → place <= shares.length':
    'the same: beyond the last place there are only zeros to add',
  'src/domain/calibration/row-counts.ts: host === undefined → false':
    'the same: each row’s host was counted before; the check is the type’s',
  'src/domain/calibration/row-counts.ts: sum + share → sum - share':
    'the same: only the ratio of such sums is read, and all change sign',
  "src/domain/calibration/row-counts.ts: seen.kind === 'answer' → true":
    'the same: what is no answer has no provider, so no rows',
  'src/domain/calibration/row-calibration.ts: at === 0 → false':
    'the same, slower: fits again without the first fold what was fitted so before',
  'src/domain/calibration/row-calibration.ts: other.likelihood > one.likelihood → other.likelihood >= one.likelihood':
    'differs where two trusts are exactly as likely: either is as true then',
  'src/domain/calibration/row-calibration.ts: told.length === 0 → false':
    'the same, slower: no prediction is made of no report',
  'src/domain/calibration/report-errors.ts: RIGHT - 1 → RIGHT + 1':
    'a judgement of how right sources are: a test could only state it again',
  'src/domain/calibration/report-errors.ts: best - (scores[0] ?? best) < CLEARLY → best - (scores[0] ?? best) <= CLEARLY':
    'differs where errors are exactly twenty times as likely',
  'src/domain/calibration/report-errors.ts: errors === 0 → false':
    'the same, slower: the lesser of none and anything is none',
  'src/domain/calibration/expectation.ts: answer < ANSWERS.length → answer <= ANSWERS.length':
    'the same: beyond the last answer 0 is added, and a write past a typed array’s end is dropped',
  'src/domain/calibration/expectation.ts: cell < CELLS.length → cell <= CELLS.length':
    'the same: beyond the last cell the share is 0, and a write past a typed array’s end is dropped',
  'src/domain/calibration/expectation.ts: CELLS[cell]?.acceptsAll → CELLS[cell].acceptsAll':
    'the same: the loop ends with the cells; the check is the type’s',
  'src/domain/calibration/tables.ts: prior.find((cell) => cell.acceptsAll === acceptsAll && cell.answer === answer)?.… → prior.find(cell => cell.acceptsAll === acceptsAll && cell.answer === answer)[of]':
    'the same: every host has every cell; the check is the type’s',
  'src/domain/calibration/tables.ts: provider < ROWS → provider <= ROWS':
    'the same: a write past a typed array’s end is dropped',
  'src/domain/calibration/tables.ts: at < provider + PER_PROVIDER → at <= provider + PER_PROVIDER':
    'the same where totals are written: the next provider’s own are written after, and past the array’s end a write is dropped',
  'src/domain/calibration/row-fit.ts: left > 0 → left >= 0':
    'one step more of 25: nearer than the five digits that are kept',
  'src/domain/calibration/row-fit.ts: FREEDOM * spread ** 2 → FREEDOM / spread ** 2':
    'the same while the only spread that it is of is 1',
  'src/domain/calibration/row-fit.ts: rows[at]?.[answer]?.forEach → rows[at]?.[answer].forEach':
    'the same: each provider has a row of each answer; the check is the type’s',
  'src/domain/calibration/row-fit.ts: rows[at]?.[answer] → rows[at][answer]':
    'the same: each provider has rows; the check is the type’s',
  'src/domain/calibration/row-fit.ts: rows[at]?.some → rows[at].some':
    'the same: each provider has rows; the check is the type’s',
  'src/domain/calibration/row-fit.ts: rows[at]?.some((row) => row.some((seen) => seen > 0)) → rows[at]?.every(row => row.some(seen => seen > 0))':
    'the same: whatever a provider says, no answer of the server is ruled out',
  'src/domain/calibration/row-fit.ts: sum + alpha → sum - alpha':
    'the same of the kinds’ masses: only their ratio is read, and both change sign',
  'src/domain/calibration/row-fit.ts: each.value > best.value → each.value >= best.value':
    'differs where two factors are exactly as likely: either is as true then',
  'src/domain/calibration/row-fit.ts: pass < PASSES → pass <= PASSES':
    'differs by one pass after 5: either is as near to the likeliest',
  'src/domain/calibration/row-fit.ts: FREEDOM + 1 → FREEDOM - 1': COLLECTED,
  'src/domain/calibration/row-fit.ts: FREEDOM * spread ** 2 + by ** 2 → FREEDOM * spread ** 2 - by ** 2': COLLECTED,
};

import type { Answer } from '../../src/domain/belief/facts.ts';
import type { Belief } from '../../src/domain/belief/posterior.ts';
import type { HostClass } from '../../src/domain/belief/host-class.ts';
import { type Model, rowsAt } from '../../src/domain/belief/model.ts';
import { believe as believeInput } from '../../src/domain/belief/posterior.ts';
import { PROVIDER_IDS, type ProviderVerdict } from '../../src/domain/belief/provider.ts';
import { VERDICTS, totalOf } from '../../src/domain/belief/provider-table.ts';
import { strangerWith } from '../../test/support/beliefs.ts';
import type { Said } from '../population/exact-posterior.ts';

export const answersOf = (said: Said): Answer[] =>
  PROVIDER_IDS.flatMap((provider, at) => {
    const verdict = VERDICTS[(said[at] ?? 0) - 1];
    return verdict === undefined ? [] : [{ provider, verdict }];
  });

/**
 * The engine's belief in an address without history, as the service computes it. In the populations here neither lists nor domains
 * have levels: a stranger's bounce rate is the table's at hand, a fit's too, and the interval leaves the spread of levels out.
 */
export function believe(model: Model, host: HostClass, said: Said): Belief {
  const input = strangerWith(onItsOwn(model), host, answersOf(said));
  return believeInput({ ...input, first: { ...input.first, variance: 0 } });
}

const OWN = new WeakMap<Model, Model>();
/** The model with its own table for a stranger's. */
export function onItsOwn(model: Model): Model {
  const own = OWN.get(model) ?? { ...model, centre: model.prior };
  OWN.set(model, own);
  return own;
}

/**
 * One number a verdict, as a reader of vendors' documentation would write it down: "valid" under 2 %, "invalid" 97 %, half of
 * a dirty list's catch-alls, one in five of what is unknown. `risky` is a third, a full mailbox being even and a trap none.
 */
export const FIXED: Readonly<Record<ProviderVerdict, number>> = {
  deliverable: 0.02,
  undeliverable: 0.97,
  catch_all: 0.1,
  risky: 0.3,
  unknown: 0.2,
};

/** Without any answer no verdict can be looked up: the middle of the published bounce rates of whole lists. */
const FIXED_UNASKED = 0.1;

export function average(said: Said): number {
  const answers = answersOf(said);
  if (answers.length === 0) return FIXED_UNASKED;
  return answers.reduce((sum, { verdict }) => sum + FIXED[verdict], 0) / answers.length;
}

/** The verdict given most often; of several the one that is least sure of either. */
export function majority(said: Said): number {
  const answers = answersOf(said);
  if (answers.length === 0) return FIXED_UNASKED;
  const votes = (verdict: ProviderVerdict): number => answers.filter((answer) => answer.verdict === verdict).length;
  const cautious = ['unknown', 'risky', 'catch_all', 'undeliverable', 'deliverable'] as const;
  const won = cautious.reduce((best, verdict) => (votes(verdict) > votes(best) ? verdict : best));
  return FIXED[won];
}

/** Each provider's P(verdict | bounces) and P(verdict | lands) from the same table, multiplied as if they were independent. */
export function naive(model: Model, host: HostClass, said: Said): number {
  const cells = model.prior[host].map(({ answer, alpha, bounced, landed }) => ({
    answer,
    bounces: (alpha * bounced) / (bounced + landed),
    lands: (alpha * landed) / (bounced + landed),
  }));
  const bouncing = cells.reduce((sum, { bounces }) => sum + bounces, 0);
  const landing = cells.reduce((sum, { lands }) => sum + lands, 0);
  let odds = bouncing / landing;
  for (const { provider, verdict } of answersOf(said)) {
    const rows = rowsAt(model, provider, host);
    const at = VERDICTS.indexOf(verdict);
    let [ifBounces, ifLands] = [0, 0];
    for (const { answer, bounces, lands } of cells) {
      const likelihood = (rows[answer][at] ?? 0) / totalOf(rows[answer]);
      ifBounces += bounces * likelihood;
      ifLands += lands * likelihood;
    }
    odds *= ifBounces / bouncing / (ifLands / landing);
  }
  return odds / (1 + odds);
}

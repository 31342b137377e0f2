import { LOSSES } from '../../src/domain/router/losses.ts';
import { VERDICTS } from '../../src/domain/belief/provider-table.ts';
import type { Inquiry, Judge } from './judge.ts';
import { VENDOR_IDS } from './kinds.ts';
import type { Limit } from './limit.ts';
import type { Visit, WorldAddress, WorldDomain } from './lives.ts';
import { ASKABLE, cheapest, secondUsd } from './money.ts';
import {
  atDomainWith,
  believe,
  type DatedAnswer,
  type DomainAnswer,
  isInForce,
  type Known,
  nextProvider,
  othersAt,
  recommend,
  route,
} from './release-2/release.ts';
import { UNKNOWN_VERDICT } from './world.ts';

/** Release 2, by the losses of today. */
export function release2(): Judge {
  const answersOf = new Map<WorldAddress, readonly DatedAnswer[]>();
  const domains = new Map<WorldDomain, readonly DomainAnswer[]>();
  const inquire = ({ address, at, list: { purpose } }: Visit): Inquiry => {
    const { domain } = address;
    let answers = (answersOf.get(address) ?? []).filter((answer) => isInForce(answer, at));
    const others = othersAt(domains.get(domain) ?? [], address.index, at);
    const known = (): Known => ({ host: domain.host.host, answers, others, now: at });
    return {
      belief: () => believe(known()),
      next() {
        const next = nextProvider(known(), ASKABLE, secondUsd(purpose), LOSSES[purpose]);
        return next === null ? null : VENDOR_IDS.findIndex((id) => id === next);
      },
      told(vendor, verdict) {
        const answer: DatedAnswer = { provider: VENDOR_IDS[vendor] ?? '', verdict, at };
        answers = [...answers, answer];
        domains.set(domain, atDomainWith(domains.get(domain) ?? [], { ...answer, of: address.index }));
      },
      action: () => recommend(believe(known()), LOSSES[purpose]),
      end: () => void answersOf.set(address, answers),
    };
  };
  return { inquire, report: () => {}, proof: () => {}, night: () => {} };
}

/** A provider that answered within so many days is not asked again. */
const ASKED_DAYS = 2;

/** Whoever knows the world's parameters and believes the exact posterior. The one who runs the world tells the limit. */
export function knowing(limit: Limit): Judge {
  const askedAt = new Map<WorldAddress, Map<number, number>>();
  const inquire = ({ address, at, list: { purpose } }: Visit): Inquiry => {
    const asked = askedAt.get(address) ?? new Map<number, number>();
    askedAt.set(address, asked);
    const rows = address.domain.host.verdicts[0] ?? [];
    return {
      belief() {
        const { probability } = limit.posterior(address, at);
        return { probability, interval: [probability, probability] };
      },
      next() {
        const open = ASKABLE.flatMap((vendor, place) =>
          at - (asked.get(place) ?? -Infinity) < ASKED_DAYS ? [] : [{ vendor, place }],
        );
        const options = open.map(({ vendor: { price, seconds, billsUnknown }, place }) => {
          const share = (answer: number, verdict: number): number => rows[place]?.[answer]?.[verdict] ?? 0;
          return {
            verdicts: VERDICTS.map(
              (_, verdict) => [share(0, verdict), share(1, verdict), share(2, verdict), share(3, verdict)] as const,
            ),
            billsUnknown,
            price,
            time: secondUsd(purpose) * seconds,
          };
        });
        const { bounce, land } = limit.posterior(address, at);
        const choice = route({ bounce, land, decayed: 0 }, options, LOSSES[purpose]);
        return choice === null ? null : (open[choice]?.place ?? null);
      },
      told: (vendor, verdict) => void asked.set(vendor, verdict === UNKNOWN_VERDICT ? at - ASKED_DAYS / 2 : at),
      action: () => cheapest(limit.posterior(address, at).probability, { purpose }),
      end: () => {},
    };
  };
  return { inquire, report: () => {}, proof: () => {}, night: () => {} };
}

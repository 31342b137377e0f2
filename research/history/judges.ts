import { LOSSES } from '../../src/domain/verification/losses.ts';
import { VERDICTS } from '../../src/domain/verification/provider-table.ts';
import type { Inquiry, Judge } from './judge.ts';
import type { Limit } from './limit.ts';
import type { Visit, WorldAddress } from './lives.ts';
import { ASKABLE, cheapest, secondUsd } from './money.ts';
import { route } from './route.ts';
import { UNKNOWN_VERDICT } from './world.ts';

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
        const choice = route({ bounce, land }, options, LOSSES[purpose]);
        return choice === null ? null : (open[choice]?.place ?? null);
      },
      told: (vendor, verdict) => void asked.set(vendor, verdict === UNKNOWN_VERDICT ? at - ASKED_DAYS / 2 : at),
      action: () => cheapest(limit.posterior(address, at).probability, { purpose }),
      end: () => {},
    };
  };
  return { inquire, report: () => {}, proof: () => {}, night: () => {} };
}

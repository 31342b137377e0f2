import { PROVIDER_IDS } from '../../src/domain/belief/provider.ts';
import { VERDICTS } from '../../src/domain/belief/provider-table.ts';
import { ANSWERS, type Engine, type HostTruth, type Population } from './population.ts';

/**
 * What has been said of an address: for each provider, in the order of `PROVIDER_IDS`, 0 where it was not asked, else 1 + the
 * place of its verdict in `VERDICTS`.
 */
export type Said = readonly number[];

/** Before any provider is asked. */
export const NOTHING_SAID: Said = PROVIDER_IDS.map(() => 0);

/** Every possible `Said` has a number: its digits in this base, the first provider's the lowest. */
const BASE = VERDICTS.length + 1;
export const SAID_COUNT = BASE ** PROVIDER_IDS.length;
export const placeOf = (provider: number): number => BASE ** provider;
export const numberOf = (said: Said): number =>
  said.reduce((sum, digit, provider) => sum + digit * placeOf(provider), 0);
export const digitOf = (number: number, provider: number): number => Math.floor(number / placeOf(provider)) % BASE;

/** P(what was said, and the mail bounces) and P(what was said, and it lands). */
export interface Joint {
  readonly bounces: number;
  readonly lands: number;
}

export const bounceProbability = ({ bounces, lands }: Joint): number => bounces / (bounces + lands);

/** The exact probabilities of a host of a population. */
export interface Exact {
  /** `acceptsAllOdds`: exact odds that the domain accepts everything, relative to the host's; 1 when nothing is known. */
  joint(said: Said, acceptsAllOdds?: number): Joint;
  /** P(what was said | the domain accepts everything, or does not). */
  likelihood(said: Said, acceptsAll: boolean): number;
  /** The same joint for every number of a `Said`. */
  all(): { readonly bounces: Float64Array; readonly lands: Float64Array };
}

/** What an engine's members say together: P(their digits | answer), by the number of their digits. */
interface EngineTable {
  readonly members: readonly number[];
  readonly likelihoods: readonly Float64Array[];
}

/** P(the digits of an engine's members | one answer of the server), given each member's shares under it. */
function together(digits: readonly number[], shares: readonly (readonly number[])[], overlap: number): number {
  let apart = 1;
  // One probe for all: each member reports the verdict in whose stretch of [0, 1] the probe fell, so that what all say
  // together is as likely as their stretches have in common.
  let [low, high] = [0, 1];
  digits.forEach((digit, member) => {
    if (digit === 0) return;
    const row = shares[member] ?? [];
    const start = row.slice(0, digit - 1).reduce((sum, share) => sum + share, 0);
    const share = row[digit - 1] ?? 0;
    apart *= share;
    [low, high] = [Math.max(low, start), Math.min(high, start + share)];
  });
  return overlap * Math.max(0, high - low) + (1 - overlap) * apart;
}

function tableOf({ members, overlap }: Engine, host: HostTruth): EngineTable {
  const size = BASE ** members.length;
  const likelihoods = ANSWERS.map((answer) => {
    const shares = members.map((id) => host.verdicts[id][answer]);
    return Float64Array.from({ length: size }, (_, number) =>
      together(
        members.map((_id, member) => digitOf(number, member)),
        shares,
        overlap,
      ),
    );
  });
  return { members: members.map((id) => PROVIDER_IDS.indexOf(id)), likelihoods };
}

/** P(what was said | the server's answer) for every number of a `Said`, by the answers' order. */
function everyLikelihood(tables: readonly EngineTable[]): Float64Array[] {
  const given = ANSWERS.map(() => new Float64Array(SAID_COUNT).fill(1));
  for (const { members, likelihoods } of tables) {
    const numbers = Uint16Array.from({ length: SAID_COUNT }, (_, number) =>
      members.reduceRight((sum, provider) => sum * BASE + digitOf(number, provider), 0),
    );
    ANSWERS.forEach((_, answer) => {
      const [all, own] = [given[answer] ?? new Float64Array(0), likelihoods[answer] ?? new Float64Array(0)];
      for (let number = 0; number < SAID_COUNT; number += 1)
        all[number] = (all[number] ?? 0) * (own[numbers[number] ?? 0] ?? 0);
    });
  }
  return given;
}

export function exactly({ engines }: Population, host: HostTruth): Exact {
  const tables = engines.map((engine) => tableOf(engine, host));
  /** P(what was said | the server's answer), in the order of `ANSWERS`. */
  const likelihoods = (digit: (provider: number) => number): number[] => {
    const product = ANSWERS.map(() => 1);
    for (const { members, likelihoods: table } of tables) {
      let number = 0;
      for (let member = members.length - 1; member >= 0; member -= 1)
        number = number * BASE + digit(members[member] ?? 0);
      for (let answer = 0; answer < product.length; answer += 1)
        product[answer] = (product[answer] ?? 0) * (table[answer]?.[number] ?? 0);
    }
    return product;
  };
  const cells = host.cells.map((cell) => ({ ...cell, at: ANSWERS.indexOf(cell.answer) }));
  const jointOf = (given: readonly number[], acceptsAllOdds: number): Joint => {
    let [bounces, lands] = [0, 0];
    for (const { acceptsAll, at, share, bounceRate } of cells) {
      const weight = share * (acceptsAll ? acceptsAllOdds : 1) * (given[at] ?? 0);
      bounces += weight * bounceRate;
      lands += weight * (1 - bounceRate);
    }
    return { bounces, lands };
  };
  return {
    joint: (said, acceptsAllOdds = 1) =>
      jointOf(
        likelihoods((provider) => said[provider] ?? 0),
        acceptsAllOdds,
      ),
    likelihood(said, acceptsAll) {
      const given = likelihoods((provider) => said[provider] ?? 0);
      const alike = cells.filter((cell) => cell.acceptsAll === acceptsAll);
      const mass = alike.reduce((sum, { at, share }) => sum + share * (given[at] ?? 0), 0);
      return mass / alike.reduce((sum, { share }) => sum + share, 0);
    },
    all() {
      const given = everyLikelihood(tables);
      const bounces = new Float64Array(SAID_COUNT);
      const lands = new Float64Array(SAID_COUNT);
      for (const { at, share, bounceRate } of cells) {
        const likelihood = given[at] ?? new Float64Array(SAID_COUNT);
        for (let number = 0; number < SAID_COUNT; number += 1) {
          const weight = share * (likelihood[number] ?? 0);
          bounces[number] = (bounces[number] ?? 0) + weight * bounceRate;
          lands[number] = (lands[number] ?? 0) + weight * (1 - bounceRate);
        }
      }
      return { bounces, lands };
    },
  };
}

import { EVENT } from './events.ts';
import type { LabelModel } from './label-model.ts';
import { walkMailboxDomains } from './mailbox-domain-trie.ts';
import { MAIL_BRANDS, type MailboxDomain, WORLD_BRANDS } from './mailbox-domains.ts';
import { SUBSTITUTE, SUBSTITUTE_DIGITS } from './slips.ts';
import { isOtherCountry, suffixSlips } from './suffix-slips.ts';
import { suffixShare } from './suffixes.ts';
import { ownDomainLog, type TypedDomain } from './typed-domain.ts';

/** Domains that may have been meant, each with ln P(it was meant, and this was typed). */
export type Candidates = Map<string, number>;

/** Slips so far, or of providers so small, that no real domain is less likely: leaves most of the trie alone. */
const FLOOR = -25;
/** The same for a text that can't be meant as it stands: most of one slip more. */
const FLOOR_UNREAL = -30;
/** Nats below the text as typed. So small a gain is not called a slip, even where DNS knows no mail host. */
const OUTWEIGHED = 4;
/** Nats below the best candidate: a thousandth of it does not change the decision. */
const NEGLIGIBLE = 7;
/** The people of any country, of all: with a world-wide brand before it they count rather than its registrations. */
const COUNTRY = Math.log(0.001);
/** A repaired domain that is known to exist, against one that may not. */
const KNOWN_FACTOR = Math.log(20);

/** How a text is compared with what may have been meant: the costs of a wrong symbol, and how likely the way itself is. */
export interface Channel {
  readonly substitute: Float64Array;
  readonly log: number;
}
const TYPED: Channel = { substitute: SUBSTITUTE, log: 0 };
/** Digits written for letters. */
export const DIGITS: Channel = { substitute: SUBSTITUTE_DIGITS, log: EVENT.digits };

const offer = (candidates: Candidates, domain: string, log: number): void => {
  if (log > (candidates.get(domain) ?? Number.NEGATIVE_INFINITY)) candidates.set(domain, log);
};

/**
 * Providers the text may be a slip of. `meant`: what the text itself weighs; candidates far below it are left out. Returns
 * ln P below which they were, so that what was cut can be counted.
 */
export function offerProviders(
  candidates: Candidates,
  { text, name, suffix, suffixExists }: TypedDomain,
  meant: number,
  labelCost: LabelModel,
  channel: Channel = TYPED,
): number {
  const lastDot = text.lastIndexOf('.');
  const suffixLog = suffixExists ? Math.log(suffixShare(suffix)) : -labelCost(suffix);
  const abroadLog = suffixExists && suffix.length === 2 ? Math.max(suffixLog, COUNTRY) : suffixLog;
  const addedLog = EVENT.suffixAdded + Math.log(suffixShare(text.slice(lastDot + 1)));
  let floor = Math.max(suffixExists ? FLOOR : FLOOR_UNREAL, meant - OUTWEIGHED);
  const slip = (provider: MailboxDomain, slipLog: number): void => {
    const log = provider.logShare + slipLog + channel.log;
    if (log < floor) return;
    offer(candidates, provider.domain, log);
    floor = Math.max(floor, log - NEGLIGIBLE);
  };
  walkMailboxDomains(text, channel.substitute, {
    floor: () => floor - channel.log,
    provider(provider, costAt) {
      const abroad = suffixExists && name === provider.brand && isOtherCountry(suffix, provider.suffix);
      if (!abroad) slip(provider, -costAt(text.length));
      if (lastDot > 0) slip(provider, addedLog - costAt(lastDot));
    },
    brand(providers, costAt) {
      for (const provider of providers) {
        for (const twice of provider.repeated) {
          if (text.endsWith(twice)) slip(provider, EVENT.suffixRepeated - costAt(text.length - twice.length));
        }
        if (suffix === '') {
          if (name === provider.brand)
            slip(provider, provider === providers[0] ? EVENT.suffixForgotten : EVENT.lesserSuffixForgotten);
        } else if (provider.suffix.endsWith(`.${suffix}`)) {
          slip(provider, EVENT.secondLevelOmitted - costAt(name.length));
        } else if (provider.suffix !== suffix && isKnownAbroad(provider)) {
          slip(provider, EVENT.otherSuffix + abroadLog - costAt(name.length));
        }
      }
    },
  });
  return floor;
}

/** Whether people take the brand to have mail under other suffixes than it has. */
const isKnownAbroad = ({ brand, suffix }: MailboxDomain): boolean =>
  MAIL_BRANDS.has(brand) || (WORLD_BRANDS.has(brand) && suffix === 'com');

/** The text with an ending that exists. */
export function offerSuffixes(
  candidates: Candidates,
  { text }: TypedDomain,
  known: (domain: string) => boolean,
  labelCost: LabelModel,
): void {
  for (const { suffix, end, cost } of suffixSlips(text)) {
    const name = text.slice(0, end);
    const domain = `${name}.${suffix}`;
    // Registries sell hardly any single letter: the slip is elsewhere.
    if (name.length === 1 && !known(domain)) continue;
    const log = ownDomainLog(labelCost, name, suffix) - cost;
    offer(candidates, domain, known(domain) ? log + KNOWN_FACTOR : log);
  }
}

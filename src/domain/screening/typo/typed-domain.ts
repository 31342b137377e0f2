import { parse } from 'tldts';
import { EVENT } from './events.ts';
import type { LabelModel } from './label-model.ts';
import { LARGEST_OF_BRAND, MAIL_BRANDS, WORLD_BRANDS } from './mailbox-domains.ts';
import { NAME_HEADS } from './name-heads.ts';
import { NOT_DELEGATED, suffixShare } from './suffixes.ts';
import type { TypedReading } from './typed-reading.ts';

const SUFFIX_OPTIONS = { extractHostname: false, validateHostname: false, detectIp: false };

/** A domain as typed, taken apart. */
export interface TypedDomain {
  readonly text: string;
  /** Before the suffix, without the dot; the whole text when it has no dot, `""` when it is a public suffix. */
  readonly name: string;
  /** The public suffix; the last label when it exists nowhere; `""` without a dot. */
  readonly suffix: string;
  /** Whether mail can be meant for the suffix at all. */
  readonly suffixExists: boolean;
}

export function takeApart(text: string): TypedDomain {
  const dot = text.lastIndexOf('.');
  if (dot < 0) return { text, name: text, suffix: '', suffixExists: false };
  const { publicSuffix, isIcann } = parse(text, SUFFIX_OPTIONS);
  const listed = isIcann === true && publicSuffix !== null;
  const suffix = listed ? publicSuffix : text.slice(dot + 1);
  const name = text.slice(0, Math.max(0, text.length - suffix.length - 1));
  return { text, name, suffix, suffixExists: listed || NOT_DELEGATED.has(suffix) };
}

/** ln P(an address is meant for this name under this suffix), for a domain of a smaller mailbox service. */
export const ownDomainLog = (labelCost: LabelModel, name: string, suffix: string): number =>
  nameLog(labelCost, name) + Math.log(suffixShare(suffix));

const nameLog = (labelCost: LabelModel, name: string): number =>
  EVENT.ownDomain + spellingLog(labelCost, name) + (MAIL_BRANDS.has(name) ? EVENT.borrowedBrand : 0);

/** A word and one digit. */
const NUMBERED = /^(\D+)\d$/;

/**
 * ln P(a name is spelt so): letter by letter, as another word before one that many names end in, or with a digit behind it (but
 * for a mailbox service's, which has no number).
 */
function spellingLog(labelCost: LabelModel, name: string): number {
  let log = -labelCost(name);
  const numbered = NUMBERED.exec(name)?.[1];
  if (numbered !== undefined && !MAIL_BRANDS.has(numbered)) log = Math.max(log, EVENT.numbered - labelCost(numbered));
  for (const [word, wordLog] of NAME_HEADS) {
    if (name.length > word.length && name.endsWith(word) && !LARGEST_OF_BRAND.has(name))
      log = Math.max(log, wordLog - labelCost(name.slice(0, -word.length)));
  }
  return log;
}

/** ln P(an address is meant for a smaller mailbox service in a country that the table of mailbox domains does not have). */
function abroadLog(name: string, suffix: string): number {
  const provider = LARGEST_OF_BRAND.get(name);
  const isSmaller = provider !== undefined && !MAIL_BRANDS.has(name) && !WORLD_BRANDS.has(name);
  return isSmaller && isCountry(suffix) ? provider.logShare + EVENT.brandAbroad : Number.NEGATIVE_INFINITY;
}

const isCountry = (suffix: string): boolean => suffix.length - suffix.lastIndexOf('.') === 3;

/** ln P(the domain was meant as typed), before DNS is asked. */
export function meantLog(
  { name, suffix, suffixExists }: TypedDomain,
  { kind, lookAlikes, marks }: TypedReading,
  labelCost: LabelModel,
): number {
  // No host name: it can't be meant.
  if (kind === 'repaired') return Number.NEGATIVE_INFINITY;
  let log = ownDomainLog(labelCost, name, suffix);
  if (suffixExists) log = Math.max(log, abroadLog(name, suffix));
  if (suffix === '') log = nameLog(labelCost, name) + EVENT.suffixForgotten;
  else if (!suffixExists) log = nameLog(labelCost, name) + EVENT.privateSuffix - labelCost(suffix);
  if (kind === 'look_alike') log += EVENT.idn + (lookAlikes + marks) * EVENT.idnLetter;
  return log;
}

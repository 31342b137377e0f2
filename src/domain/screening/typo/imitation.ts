import { isMailboxDomain } from './mailbox-domains.ts';
import { takeApart } from './typed-domain.ts';
import { readDomain } from './typed-reading.ts';

/** Digits read as the letters they look like, and two letters read as one. */
const READS_AS: readonly (readonly [seen: string, read: string])[] = [
  ['0', 'o'],
  ['1', 'l'],
  ['1', 'i'],
  ['3', 'e'],
  ['5', 's'],
  ['rn', 'm'],
  ['vv', 'w'],
  ['cl', 'd'],
];
/** Letters alike in some typefaces. Only one is changed: with two, `ilve.com` would read as `live.com`. */
const LETTERS: readonly (readonly [seen: string, read: string])[] = [
  ['i', 'l'],
  ['l', 'i'],
];
/** A name with more changes imitates nothing. */
const CHANGES_MAX = 3;
/** Look-ups for one domain: bounds the work on hostile input. */
const READINGS_MAX = 256;
/** A shorter name is one letter or two from many others. */
const SHORTEST = 4;
/** Swapped letters make words of words (`mall.com` is not `mail.com`), so names must be longer. */
const SHORTEST_BY_LETTERS = 5;
const DIGIT = /\d/;
/** `level3`, `slide5`: a number after a name. A one there is as often an l. */
const NUMBERED = /^\D+[2-9]$/;

/** An alternative reading; everything before `from` is decided. */
interface Read {
  readonly text: string;
  readonly from: number;
}

const readAgain = ({ text, from }: Read, pairs: typeof READS_AS): Read[] =>
  pairs.flatMap(([seen, read]) => {
    const next: Read[] = [];
    for (let at = text.indexOf(seen, from); at >= 0; at = text.indexOf(seen, at + 1))
      next.push({ text: text.slice(0, at) + read + text.slice(at + seen.length), from: at + read.length });
    return next;
  });

/** Every other reading of a name with some letters replaced. */
function readingsOf(name: string): Set<string> {
  const whole = { text: name, from: 0 };
  const readings = new Set([whole, ...readAgain(whole, LETTERS)].map(({ text }) => text));
  let latest: Read[] = NUMBERED.test(name) ? [] : [...readings].map((text) => ({ text, from: 0 }));
  for (let changes = 0; changes < CHANGES_MAX && readings.size < READINGS_MAX; changes += 1) {
    latest = latest.flatMap((read) => readAgain(read, READS_AS)).slice(0, READINGS_MAX - readings.size);
    for (const { text } of latest) readings.add(text);
  }
  readings.delete(name);
  return readings;
}

/** Both take lower-case A-labels. */
export interface ImitationEvidence {
  /** Whether it is on a list of real ones. */
  readonly known: (domain: string) => boolean;
  /** Whether it is known well enough to be imitated; mailbox domains always are. */
  readonly imitated: (domain: string) => boolean;
}

/**
 * Whether a typed domain only looks like a well-known one: `paypa1.com`, `rnicrosoft.com`, a name with a letter of
 * another script.
 */
export function isImitation(typed: string, { known, imitated }: ImitationEvidence): boolean {
  const isTarget = (domain: string): boolean => isMailboxDomain(domain) || imitated(domain);
  const reading = readDomain(typed);
  if (reading === null || reading.kind === 'repaired') return false;
  const { name, suffix, suffixExists } = takeApart(reading.text);
  if (!suffixExists) return false;
  // Marks are letters of their own in many languages (`bücher.de` is not `bucher.de`).
  if (reading.kind === 'look_alike') return reading.lookAlikes > 0 && isTarget(reading.text);
  if (name.length < SHORTEST || known(reading.text)) return false;
  const shortest = DIGIT.test(name) ? SHORTEST : SHORTEST_BY_LETTERS;
  for (const other of readingsOf(name)) if (other.length >= shortest && isTarget(`${other}.${suffix}`)) return true;
  return false;
}

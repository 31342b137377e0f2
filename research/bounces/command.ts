import { readFileSync } from 'node:fs';
import { type BenchRow, printRows, type Target } from '../../scripts/bench/measure.ts';
import { commandLine } from '../../scripts/command-line.ts';
import { HOST_CODES } from '../../src/domain/feedback/bounces/codes.ts';
import { plainWords, readBounce } from '../../src/domain/feedback/bounces/report.ts';
import { type BounceClass, WORD_ROWS } from '../../src/domain/feedback/bounces/words.ts';

/** A text that a mail server or a mail service sent, and what it says about the mailbox. */
interface Case {
  readonly text: string;
  readonly class: BounceClass;
  /** Classes that count as right too. */
  readonly also?: readonly BounceClass[];
  /** Who refused; texts of one host are left out together. */
  readonly host?: string | null;
  readonly source: string;
  readonly debatable?: boolean;
}

interface Scored extends Case {
  readonly read: BounceClass;
}

const CLASSES = ['user_unknown', 'refused', 'full', 'soft', null] as const;
const AGAINST: ReadonlySet<BounceClass> = new Set(['user_unknown', 'refused', 'full']);
const DEAD: ReadonlySet<BounceClass> = new Set(['user_unknown', 'refused']);

const score = async (cases: readonly Case[]): Promise<Scored[]> =>
  Promise.all(cases.map(async (each) => ({ ...each, read: (await readBounce(each.text)).class ?? null })));

const isRight = ({ read, class: truth, also = [] }: Scored): boolean => read === truth || also.includes(read);

/** The alternatives of a pattern, as its source has them. */
function alternatives({ source }: RegExp): string[] {
  const parts = [''];
  let [depth, isClass] = [0, false];
  for (let at = 0; at < source.length; at += 1) {
    const char = source.charAt(at);
    const escaped = char === '\\' ? source.charAt(at + 1) : '';
    if (escaped !== '') at += 1;
    else if (isClass) isClass = char !== ']';
    else if (char === '[') isClass = true;
    else if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    else if (char === '|' && depth === 0) {
      parts.push('');
      continue;
    }
    parts.push(`${parts.pop() ?? ''}${char}${escaped}`);
  }
  return parts;
}

const NOTHING = /(?!)/;
const hostOf = ({ host, source }: Case): string => host ?? source;

/** Each host's texts, read without the alternatives and codes that no other host's text needs. */
async function leftOut(cases: readonly Case[]): Promise<Scored[]> {
  const plain = cases.map((each) => ({ host: hostOf(each), text: plainWords(each.text) }));
  const rows = [...WORD_ROWS, ...HOST_CODES] as { words: RegExp }[];
  const whole = rows.map(({ words }) => words);
  const parts = whole.map((words) =>
    alternatives(words).map((source) => {
      const pattern = new RegExp(source, words.flags);
      return { source, hosts: new Set(plain.filter(({ text }) => pattern.test(text)).map(({ host }) => host)) };
    }),
  );
  const scored: Scored[] = [];
  for (const host of new Set(plain.map((each) => each.host))) {
    for (const [place, row] of rows.entries()) {
      const kept = (parts[place] ?? []).filter(({ hosts }) => hosts.size !== 1 || !hosts.has(host));
      row.words =
        kept.length === 0 ? NOTHING : new RegExp(kept.map(({ source }) => source).join('|'), whole[place]?.flags);
    }
    scored.push(...(await score(cases.filter((each) => hostOf(each) === host))));
  }
  for (const [place, row] of rows.entries()) row.words = whole[place] ?? NOTHING;
  return scored;
}

function figures(scored: readonly Scored[], slack: number): BenchRow[] {
  const share = (
    name: string,
    of: (each: Scored) => boolean,
    wrong: (each: Scored) => boolean,
    target: Target,
  ): BenchRow => {
    const all = scored.filter(of);
    const found = all.filter(wrong).length;
    return { name, value: (100 * found) / all.length, unit: '%', target, note: `${found} of ${all.length}` };
  };
  return [
    share('correct class', () => true, isRight, { atLeast: 90 }),
    share(
      'nothing about the mailbox, read against it',
      ({ class: truth }) => !AGAINST.has(truth),
      (each) => AGAINST.has(each.read) && !isRight(each),
      { atMost: 2 * slack },
    ),
    share(
      'missed dead mailboxes',
      ({ class: truth }) => DEAD.has(truth),
      (each) => !DEAD.has(each.read) && !isRight(each),
      { atMost: 4 * slack },
    ),
    share('full mailboxes found', ({ class: truth }) => truth === 'full', isRight, { atLeast: 95 }),
  ];
}

function printMatrix(scored: readonly Scored[]): void {
  const name = (each: BounceClass): string => each ?? 'nothing';
  const count = (truth: BounceClass, read: BounceClass): number =>
    scored.filter((each) => each.class === truth && each.read === read).length;
  console.table(
    Object.fromEntries(
      CLASSES.map((truth) => [
        `is ${name(truth)}`,
        Object.fromEntries(CLASSES.map((read) => [`read as ${name(read)}`, count(truth, read)])),
      ]),
    ),
  );
}

const lineOf = ({ class: truth, read, text }: Scored): string =>
  `${truth} read as ${read}: ${JSON.stringify(text.slice(0, 400))}\n`;

/** Compares how bounces are read with their labels. Exits with 1 when a figure misses its target. */
export const bounces = commandLine('bounces', 'Holds the reader of bounces against labelled texts.')
  .requiredOption('--cases <file>', 'JSON: `[{ text, class, also?, host?, source, debatable? }]`')
  .option('--wrong', 'prints each text that is read otherwise')
  .action(async ({ cases: file, wrong = false }: { readonly cases: string; readonly wrong?: boolean }) => {
    const cases = (JSON.parse(readFileSync(file, 'utf8')) as Case[]).filter(({ debatable = false }) => !debatable);
    const scored = await score(cases);
    printMatrix(scored);
    printRows('bounces', figures(scored, 1));
    const apart = await leftOut(cases);
    printRows('bounces, each host’s own rows left out', figures(apart, 2));
    if (wrong)
      for (const each of [...scored, ...apart].filter((one) => !isRight(one))) process.stdout.write(lineOf(each));
  });

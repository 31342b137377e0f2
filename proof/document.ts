import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = join(import.meta.dirname, '../docs/proof.md');

const INTRO = `# Proof

What the service promises is shown by suites that anyone can run: \`npm run proof\` for all parts, \`npm run proof -- isolation\`
for one, \`npm run proof -- --help\` for what can be set. A run writes its part of this page: what was tried, and what came out. A
part that did not run keeps what the run before wrote.`;

/** The parts in the order of docs/proof.md. A part is the file `proof/<name>.proof.ts`. */
export const PARTS = {
  isolation: {
    title: 'Isolation',
    promise:
      'An id of another organisation is answered as an id that never was: with the same words, after the same number of statements and calls. Counted, not timed.',
  },
  security: {
    title: 'Security',
    promise:
      'OWASP’s API Security Top 10 (2023), for the API, and ASVS 5.0.0 at level 2, for the dashboard, item by item, each with the test that shows it. What does not hold is said so. Then what is shipped: dependencies, their list and their licences.',
  },
  leaks: {
    title: 'Leak scan',
    promise:
      'After everything was used, no byte of any store, log or mail has an address or a name of a customer’s people, in any usual encoding: live bulk files and members’ own addresses aside. Nor after `forget`, nor after the 7 days of files.',
  },
  models: {
    title: 'Races',
    promise:
      'Jobs and their leases, requests under one `Idempotency-Key`, and the way of traces to Postgres: what holds of them holds in every order of their steps, crashes of the object among them.',
  },
  exactness: {
    title: 'Exactness',
    promise:
      'Where a limit ends, exactly as many get in as fit, however many ask at the same time; counters and charges are exact afterwards. What is sent twice has one effect.',
  },
  fuzzing: {
    title: 'Fuzzing',
    promise:
      'Whatever is sent, to any route and with any key: no answer is a failure of the service, and each is as the OpenAPI document says. The heap is afterwards as large as before, and what grew in it is named.',
  },
  faults: {
    title: 'Fault matrix',
    promise:
      'Whatever a dependency does, each route is answered in its time: as without the fault, as one that had to do without and says so, or as an outage that says when to come again. No answer shows what went wrong, and with the fault gone all is well again.',
  },
  crashes: {
    title: 'Crash safety',
    promise:
      'What was acknowledged is there after the runtime was killed, whatever it was at: no trace, outcome, rule, key, policy or import is lost, counters are exact, files end as if undisturbed, and people stay signed in.',
  },
  size: {
    title: 'Size',
    promise:
      'An account of a million addresses, a file of 100,000 rows at 60,000 domains, and two years of nights stay within the platform’s limits.',
  },
  webhooks: {
    title: 'A steady load',
    promise:
      'An hour of 50 webhooks a second from a mail service, beside verifications of the same organisation: none is lost or refused, and nothing falls behind or grows.',
  },
} as const;

export type PartName = keyof typeof PARTS;
export const PART_NAMES = Object.keys(PARTS) as PartName[];

export interface Table {
  readonly title?: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** What one run of a part found. */
export interface Findings {
  /** What was tried, with its figures, in a few sentences. */
  readonly summary: string;
  readonly tables: readonly Table[];
}

/** Escapes angle brackets, which would start an element, and bars, which would start a column. */
const cell = (value: string | number): string =>
  String(value).replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');
const line = (cells: readonly (string | number)[]): string => `| ${cells.map(cell).join(' | ')} |`;

const tableText = ({ title, columns, rows }: Table): string =>
  [
    ...(title === undefined ? [] : [`**${title}**`, '']),
    line(columns),
    line(columns.map(() => '---')),
    ...rows.map(line),
  ].join('\n');

/** A run's findings as a section of the page. */
export const sectionText = ({ summary, tables }: Findings): string => [summary, ...tables.map(tableText)].join('\n\n');

/** Replaces a part's section of docs/proof.md by the findings of this run. */
export function writeFindings(name: PartName, findings: Findings): void {
  const page = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '';
  const before = new Map(page.split(/^## /m).map((section) => [section.split('\n', 1)[0], section.trim()]));
  const sections = PART_NAMES.map((each) => {
    const { title, promise } = PARTS[each];
    if (each === name) return `${title}\n\n${promise}\n\n${sectionText(findings)}`;
    return before.get(title) ?? `${title}\n\n${promise}\n\nThis part has not run yet.`;
  });
  writeFileSync(FILE, `${[INTRO, ...sections].join('\n\n## ')}\n`);
}

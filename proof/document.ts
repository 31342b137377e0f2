import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PART_NAMES, PARTS, type PartName } from './parts.ts';

const FILE = join(import.meta.dirname, '../docs/proof.md');

const INTRO = `# Proof

What the service promises is shown by suites that anyone can run: \`npm run proof\` for all parts, \`npm run proof -- isolation\`
for one, \`npm run proof -- --help\` for what can be set. A run writes its part of this page: what was tried, and what came out. A
part that did not run keeps what the run before wrote.`;

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

/** Angle brackets would be an element of the page, a bar a column. */
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

/** What a run found, as its section of the page has it. */
export const sectionText = ({ summary, tables }: Findings): string => [summary, ...tables.map(tableText)].join('\n\n');

/** Each part's text as the page has it, without heading and promise. */
function written(page: string): Map<string, string> {
  const sections = page.split(/^## /m).slice(1);
  return new Map(
    sections.map((section) => {
      const [title = '', promise = '', ...rest] = section.trim().split('\n\n');
      return [title, promise === '' ? '' : rest.join('\n\n')];
    }),
  );
}

/** The page with this part's findings in place of those before. Pure. */
function pageWith(page: string, name: PartName, findings: Findings): string {
  const kept = written(page);
  const sections = PART_NAMES.map((each) => {
    const { title, promise } = PARTS[each];
    const text = each === name ? sectionText(findings) : (kept.get(title) ?? 'This part has not run yet.');
    return `## ${title}\n\n${promise}\n\n${text}`;
  });
  return `${[INTRO, ...sections].join('\n\n')}\n`;
}

/** Writes what a run of a part found to docs/proof.md. */
export const writeFindings = (name: PartName, findings: Findings): void =>
  writeFileSync(FILE, pageWith(existsSync(FILE) ? readFileSync(FILE, 'utf8') : '', name, findings));

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { writeFindings } from './document.ts';
import { mutate, type Score, type Survivor } from './mutation/stryker.ts';
import { REASONS } from './mutation/survivors.ts';
import { FILES } from './support/settings.ts';

const ROOT = join(import.meta.dirname, '..');
/** What runs have found, by file: a run of some files leaves the others as they are. */
const SCORES = join(import.meta.dirname, 'mutation/scores.json');
const TIMEOUT_MS = 4 * 3_600_000;

/** The pure parts, and the folders of unit tests that are to find their mutants. */
const TESTS: Readonly<Record<string, readonly string[]>> = {
  metering: ['metering', 'organisation'],
  rules: ['rules', 'organisation'],
  policy: ['policy'],
  calibration: ['calibration'],
  verification: ['verification'],
};

const ALL = Object.keys(TESTS).flatMap((part) =>
  readdirSync(join(ROOT, 'src/domain', part), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length + 1))
    .sort(),
);

const scores = new Map<string, Score>(
  Object.entries(existsSync(SCORES) ? (JSON.parse(readFileSync(SCORES, 'utf8')) as Record<string, Score>) : {}),
);

const nameOf = (file: string, { was, becomes }: Survivor): string => `${file}: ${was} → ${becomes}`;

/** What one run of Stryker changes: more would lose more where it is cut off. */
const FILES_A_RUN = 8;

const partOf = (file: string): string => file.split('/')[2] ?? '';

const RUNS = Object.entries(Object.groupBy(FILES.length === 0 ? ALL : FILES, partOf)).flatMap(([part, files = []]) =>
  Array.from({ length: Math.ceil(files.length / FILES_A_RUN) }, (_, run) => ({
    part,
    files: files.slice(run * FILES_A_RUN, (run + 1) * FILES_A_RUN),
  })),
);

describe('every change of the code', () => {
  it.each(RUNS)(
    'of $files is counted',
    ({ part, files }) => {
      expect(ALL).toEqual(expect.arrayContaining([...files]));
      for (const [file, score] of mutate(files, TESTS[part] ?? [])) scores.set(file, score);
    },
    TIMEOUT_MS,
  );
});

/** A backtick of its own would end the span. */
const code = (text: string): string => `\`${text.replaceAll('`', '’')}\``;
const percent = (part: number, whole: number): string => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);

/** After each file: a run that is cut off leaves what it has found. */
afterEach(() => {
  const tried = [...scores].filter(([file]) => ALL.includes(file)).sort(([a], [b]) => a.localeCompare(b));
  writeFileSync(SCORES, `${JSON.stringify(Object.fromEntries(tried), null, 2)}\n`);
  const [mutants, killed] = [
    tried.reduce((sum, [, each]) => sum + each.mutants, 0),
    tried.reduce((sum, [, each]) => sum + each.killed, 0),
  ];
  const untried = ALL.filter((file) => !scores.has(file));
  writeFindings('mutation', {
    summary: `${tried.length} of ${ALL.length} files: ${mutants} changes, ${killed} found by the unit tests of the part and of the organisation’s object (${percent(killed, mutants)}). \`npm run proof -- mutation --file src/domain/…\` does one. Constants that a module makes when it loads are left out where they are counted apart: each needs all tests.${untried.length === 0 ? '' : ` Not done yet: ${untried.map((file) => `\`${file.slice('src/domain/'.length)}\``).join(', ')}.`}`,
    tables: [
      {
        columns: [
          'file',
          'changes',
          'found',
          'reached and not found',
          'reached by no test of these folders',
          'constants',
        ],
        rows: tried.map(([file, { mutants: all, killed: found, survivors, constants = 'tried' }]) => {
          const reached = survivors.filter(({ isReached }) => isReached).length;
          return [
            `\`${file}\``,
            all,
            `${found} (${percent(found, all)})`,
            reached,
            survivors.length - reached,
            constants,
          ];
        }),
      },
      {
        title: 'Reached and not found',
        columns: ['file', 'line', 'was', 'becomes', 'why it is not found'],
        rows: tried.flatMap(([file, { survivors }]) =>
          survivors
            .filter(({ isReached }) => isReached)
            .map((each) => [
              `\`${file}\``,
              each.line,
              code(each.was),
              code(each.becomes),
              REASONS[nameOf(file, each)] ?? 'not looked into',
            ]),
        ),
      },
    ],
  });
});

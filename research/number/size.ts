import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';

export interface Size {
  readonly files: number;
  readonly lines: number;
}

/** What makes the number: belief, router and answer, with the fits of the model before; and what keeps and folds the history. */
const COUNTED =
  /^src\/(domain\/(verification|calibration|belief|router|answer)\/|organisation\/(history|levels|level-recovery|history-sweep|recompute)\.ts|organisation\/sql\/history\.ts)/;
/** Tables of figures and their sources are data; what is observed, shown and kept of an address is not the number. */
const DATA = /\/((prior|provider|evidence|history)-table|observed|account|kept|trace-of|sandbox)\.ts$|\.json$/;

/** Where assessing, learning, recomputing and routing begin, in this model and in the one before. */
export const ENTRIES = {
  model: [
    'src/domain/answer/assess.ts',
    'src/domain/belief/learning.ts',
    'src/organisation/history.ts',
    'src/domain/router/router.ts',
  ],
  frozen: [
    'src/services/verification/assess.ts',
    'src/domain/verification/level-update.ts',
    'src/organisation/history.ts',
    'src/organisation/history-sweep.ts',
    'src/organisation/level-recovery.ts',
    'src/services/calibration.ts',
    'src/domain/verification/router.ts',
  ],
} as const;

/** The total lines of these files and their counted imports. */
export function sizeOf(root: string, entries: readonly string[]): Size {
  const found = new Set<string>();
  const waiting = entries.map((entry) => join(root, entry));
  let [files, lines] = [0, 0];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    const text = readFileSync(file, 'utf8');
    const name = file.slice(root.length + 1);
    if (COUNTED.test(name) && !DATA.test(name)) {
      files += 1;
      lines += text.split('\n').length - 1;
    }
    const { staticImports, staticExports } = parseSync(file, text).module;
    const from = [...staticImports, ...staticExports.flatMap(({ entries: all }) => all)];
    for (const { moduleRequest } of from)
      if (moduleRequest?.value.startsWith('.')) waiting.push(join(dirname(file), moduleRequest.value));
  }
  return { files, lines };
}

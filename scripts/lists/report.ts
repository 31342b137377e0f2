import type { Exclusion } from './assign-domains.ts';
import type { Source, Sources } from './sources.ts';

/** What a table file holds, as `sources.json` records it. */
export interface TableRecord {
  readonly entries: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly sets: Readonly<Record<string, number>>;
}

/** Counted by set and reason, most first. */
function countExclusions(exclusions: readonly Exclusion[]): { from: string; why: string; names: string[] }[] {
  const groups = Object.groupBy(exclusions, ({ from, why }) => `${from}\n${why}`);
  return Object.values(groups)
    .map((group = []) => ({
      from: group[0]?.from ?? '',
      why: group[0]?.why ?? '',
      names: group.map(({ name }) => name),
    }))
    .sort((a, b) => b.names.length - a.names.length || (a.from + a.why < b.from + b.why ? -1 : 1));
}

/** `sources.json`: where every entry comes from and what was left out. Holds no date: the same input gives the same bytes. */
export function sourcesJson(
  sources: Sources,
  tables: Readonly<Record<string, number>>,
  files: Readonly<Record<string, TableRecord>>,
  exclusions: readonly Exclusion[],
): string {
  const packages = Object.values<Source>(sources).map(({ package: { name, version, licence }, reason, names }) => ({
    name,
    version,
    licence,
    names: names.length,
    reason,
  }));
  const excluded = countExclusions(exclusions).map(({ from, why, names }) => ({ from, why, names: names.length }));
  return `${JSON.stringify({ files, packages, tables, excluded }, null, 2)}\n`;
}

/** The build's report to the one who runs it. */
export function printReport(
  sources: Sources,
  files: Readonly<Record<string, TableRecord>>,
  exclusions: readonly Exclusion[],
): void {
  const number = (value: number): string => value.toLocaleString('en').padStart(9);
  const lines = ['Sources'];
  for (const { package: from, names, reason } of Object.values<Source>(sources)) {
    lines.push(`${number(names.length)}  ${from.name} ${from.version} (${from.licence}). ${reason}`);
  }
  for (const [file, { entries, bytes, sets }] of Object.entries(files)) {
    lines.push('', `${file}: ${entries.toLocaleString('en')} entries, ${bytes.toLocaleString('en')} bytes`);
    for (const [set, count] of Object.entries(sets)) lines.push(`${number(count)}  ${set}`);
  }
  lines.push('', 'Left out');
  for (const { from, why, names } of countExclusions(exclusions)) {
    lines.push(
      `${number(names.length)}  of ${from}: ${why} (${names.slice(0, 6).join(', ')}${names.length > 6 ? ' ...' : ''})`,
    );
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}

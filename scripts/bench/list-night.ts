import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { copiesAmong, DEFAULT_SOURCES } from '../../src/domain/lists/known-sources.ts';
import { createLists } from '../../src/domain/lists/lists.ts';
import { OverlayDraft } from '../../src/domain/lists/overlay-draft.ts';
import { reviewList } from '../../src/domain/lists/review-list.ts';
import { readSource } from '../../src/domain/lists/source-text.ts';
import { readInstalledSources } from '../lists/sources.ts';
import type { BenchRow } from './row.ts';

const DATA = join(import.meta.dirname, '../../src/domain/lists/data');
/** Longer than any public list. */
const WIDE = 300_000;
const ROUNDS = 5;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The night's work on the default sources, the last of them 300,000 domains long: reading, review, draft and packing. */
export async function run(): Promise<BenchRow[]> {
  const data = (file: string): Uint8Array => readFileSync(join(DATA, file));
  const bundled = createLists({ domains: data('domains.bin'), names: data('names.bin') });
  const { curated, crawled, community } = readInstalledSources();
  const unlisted = Array.from(
    { length: WIDE - community.names.length },
    (_, i) => `u${(i * 2_654_435_761) % 2 ** 32}.com`,
  );
  const texts = [curated.names, crawled.names, community.names, [...community.names, ...unlisted]].map((names) =>
    names.join('\n'),
  );
  const copies = copiesAmong(DEFAULT_SOURCES.map(({ url }) => url));
  const { gc } = globalThis;
  const cpu: number[] = [];
  let bytes = 0;
  let heap = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    gc?.();
    const before = process.memoryUsage();
    const began = process.cpuUsage();
    const draft = new OverlayDraft(bundled);
    for (const [place, text] of texts.entries()) {
      const said = readSource(text);
      const review = said === null ? null : reviewList(said, null, bundled);
      if (review?.ok !== true) throw new Error(`source ${place} is refused`);
      draft.enter(place, review.domains);
      const now = process.memoryUsage();
      heap = Math.max(heap, now.heapUsed + now.arrayBuffers - before.heapUsed - before.arrayBuffers);
    }
    bytes = draft.finish([...copies, ...draft.copies()]).table.length;
    const { user, system } = process.cpuUsage(began);
    cpu.push((user + system) / 1_000);
  }
  return [
    {
      name: `a night of lists, one of ${WIDE} domains: CPU`,
      value: median(cpu),
      unit: 'ms',
      range: [Math.min(...cpu), Math.max(...cpu)],
      target: { atMost: 10_000 },
      note: 'a queue’s invocation has 30 s',
    },
    {
      name: 'the same: most memory, garbage included',
      value: heap / 2 ** 20,
      unit: 'MB',
      target: { atMost: 100 },
      note: 'an isolate has 128 MB',
    },
    {
      name: 'the same: the table',
      value: bytes,
      unit: 'bytes',
      target: { atMost: 25 * 2 ** 20 },
      note: 'KV’s longest value',
    },
  ];
}

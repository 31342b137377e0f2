import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { DEFAULT_SOURCES } from '../../../src/domain/lists/known-sources.ts';
import { readConfig } from '../../../src/runtime/config.ts';
import { lastNight } from '../../../src/services/nightly/missed.ts';

interface Consumer {
  readonly queue: string;
  readonly max_batch_size?: number;
  readonly max_concurrency?: number | null;
}

const CONFIG = join(import.meta.dirname, '../../../wrangler.toml');

describe('wrangler.toml', () => {
  it('keeps the functions’ names, which a stack in the log is read by', () => {
    expect(unstable_readConfig({ config: CONFIG })).toMatchObject({ minify: false });
  });

  it('begins the night when a missed one is counted from', () => {
    const night = new Date(lastNight(Date.now()));
    const { crons } = unstable_readConfig({ config: CONFIG }).triggers;
    expect(crons).toContain(`${night.getUTCMinutes()} ${night.getUTCHours()} * * *`);
  });

  it('reads every night the lists that are known, in their order', () => {
    const { disposableSourceUrls } = readConfig(unstable_readConfig({ config: CONFIG }).vars);
    expect(disposableSourceUrls).toEqual(DEFAULT_SOURCES.map(({ url }) => url));
  });

  const consumers: readonly Consumer[] = unstable_readConfig({ config: CONFIG }).queues.consumers ?? [];

  it.each(consumers)(
    'lets only so many invocations work at once on what $queue brings',
    ({ max_concurrency: most }) => {
      expect(most).toBeGreaterThan(0);
    },
  );

  it('gives an invocation one range of a job', () => {
    expect(consumers.find(({ queue }) => queue.endsWith('-bulk'))).toMatchObject({ max_batch_size: 1 });
  });
});

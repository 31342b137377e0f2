import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { DEFAULT_SOURCES } from '../../../src/domain/lists/source-text.ts';
import { readConfig } from '../../../src/runtime/config.ts';
import { lastNight } from '../../../src/services/nightly/steps.ts';

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

  it.each([CONFIG, join(CONFIG, '../dashboard/wrangler.toml')])(
    'has for staging what production has, under names of its own: %s',
    (config) => {
      const [production, staging] = ['', 'staging'].map((env) => unstable_readConfig({ config, env }));
      expect(staging?.name).toBe(`${production?.name}-staging`);
      const shared = [
        'compatibility_date',
        'placement',
        'observability',
        'migrations',
        'triggers',
        'rules',
        'assets',
      ] as const;
      const bound = [
        'durable_objects',
        'kv_namespaces',
        'r2_buckets',
        'queues',
        'services',
        'analytics_engine_datasets',
      ] as const;
      for (const field of shared) expect(staging?.[field], field).toEqual(production?.[field]);
      // Staging shares the account or database with production, so the names must differ.
      const ofStaging = (text: string) =>
        text.replaceAll(/\bemail(.)verification\b(?!.staging)/g, 'email$1verification$1staging');
      // An id is entered once the namespace is made.
      const withoutIds = (of: unknown) =>
        JSON.parse(JSON.stringify(of ?? null, (key, value) => (key === 'id' ? '' : value)));
      for (const field of bound)
        expect(withoutIds(staging?.[field]), field).toEqual(
          JSON.parse(ofStaging(JSON.stringify(withoutIds(production?.[field])))),
        );
      expect(staging?.routes).toEqual([]);
      expect(Object.keys(staging?.vars ?? {})).toEqual(Object.keys(production?.vars ?? {}));
    },
  );

  const consumers: readonly Consumer[] = unstable_readConfig({ config: CONFIG }).queues.consumers ?? [];

  it.each(consumers)(
    'lets only so many invocations work at once on what $queue brings',
    ({ max_concurrency: most }) => {
      expect(most).toBeGreaterThan(0);
    },
  );

  it('gives an invocation one chunk of a job', () => {
    expect(consumers.find(({ queue }) => queue.endsWith('-bulk'))).toMatchObject({ max_batch_size: 1 });
  });
});

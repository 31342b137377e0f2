import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHECKS, runChecks, type ServiceState } from '../../../scripts/operator/watch/checks.ts';
import { metricsOf } from '../../../scripts/operator/watch/metrics.ts';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');

const ORG = 'org_01m7zjpg25evvthp828empmd4v';
const ROW: ServiceState['status']['organisations'][number] = {
  id: ORG,
  outbox_rows: 0,
  outbox_age_s: null,
  outbox_dead: 0,
  erasures: 0,
  jobs_failed: 0,
  verifications: 10,
  provider_spend_usd: 0.4,
};
const count = (n: number) => ({ count: n, sum: n, max: 1 });
const STATUS: ServiceState['status'] = {
  unread: [],
  totals: {
    organisations: 1,
    unreachable: 0,
    outbox_rows: 0,
    outbox_age_s: null,
    outbox_dead: 0,
    erasures: 0,
    jobs_failed: 0,
    dead_letters: 0,
  },
  organisations: [ROW],
  cursor: null,
  unreachable: [],
  providers: [{ provider: 'kickbox', calls: 100, failed: 20, error_rate: 0.2, mean_ms: 300, max_ms: 900 }],
  dead_letters: [{ queue: 'wake', count: 1, newest_age_s: 3_600, newest: '{}' }],
  cron: [
    { step: 'wake', age_s: 900, report: { organisations: 1 } },
    { step: 'nightly', age_s: 93_600, report: { organisations: 1 } },
    { step: 'nightly rollups', age_s: 93_600, report: { organisations: 1, failed: 0 } },
  ],
  settings: [],
  last_24h: { counters: { 'object_ms:authorize': count(1_000), 'request_failed:bug': count(10) } },
};
const WELL: ServiceState = {
  health: { status: 'ok', version: '1' },
  status: STATUS,
  organisations: [{ id: ORG, verification_quota: 10 }],
};
/** A healthy status with each value at its limit. */
const AT_THE_LIMIT: ServiceState = {
  ...WELL,
  status: { ...STATUS, organisations: [{ ...ROW, verifications: 9, outbox_age_s: 300 }] },
};

const withStatus = (change: Partial<ServiceState['status']>): ServiceState => ({
  ...AT_THE_LIMIT,
  status: { ...AT_THE_LIMIT.status, ...change },
});
const withRow = (change: Partial<typeof ROW>): ServiceState =>
  withStatus({ organisations: [{ ...ROW, verifications: 9, ...change }] });
const withCron = (step: string, age_s: number, report: object = {}): ServiceState =>
  withStatus({ cron: [{ step, age_s, report }] });

/** For each check, a wrong state and the finding. */
const WRONG: readonly (readonly [check: string, of: string, state: ServiceState, found: RegExp])[] = [
  [
    'health',
    'a missing setting',
    { ...AT_THE_LIMIT, health: { status: 'misconfigured', version: '1' } },
    /^misconfigured$/,
  ],
  [
    'settings',
    'a wrong setting',
    withStatus({ settings: [{ setting: 'DOH_URLS', problem: 'p', off: 'o' }] }),
    /^DOH_URLS$/,
  ],
  [
    'errors',
    'a share of failures',
    withStatus({
      last_24h: {
        counters: {
          'object_ms:authorize': count(1_000),
          'request_failed:bug': count(7),
          'request_failed:postgres': count(4),
        },
      },
    }),
    /^1\.1 %$/,
  ],
  ['objects', 'an object away', withStatus({ unreachable: [ORG] }), /^org_/],
  ['outbox_age', 'a row that waits', withRow({ outbox_age_s: 301 }), /^org_\w+ \(301 s\)$/],
  ['outbox_refused', 'a rejected row', withRow({ outbox_dead: 2 }), /^org_\w+ \(2\)$/],
  [
    'dead_letters',
    'a new dead letter',
    withStatus({ dead_letters: [{ queue: 'bulk', count: 1, newest_age_s: 3_599, newest: '' }] }),
    /^bulk$/,
  ],
  [
    'providers',
    'a provider that fails',
    withStatus({
      providers: [{ provider: 'kickbox', calls: 50, failed: 11, error_rate: 0.22, mean_ms: 1, max_ms: 1 }],
    }),
    /^kickbox \(22 %\)$/,
  ],
  ['cron', 'a cron that stands still', withCron('wake', 901), /^wake \(901 s\)$/],
  ['nightly_run', 'a night that was missed', withCron('nightly', 93_601), /^nightly \(26 h\)$/],
  ['nightly_run', 'a step that failed', withCron('nightly rollups', 60, { failed: 3 }), /^nightly rollups/],
  ['nightly_run', 'a night that failed whole', withCron('nightly', 60, { failed: 'Error' }), /^nightly /],
  ['quota', 'a quota near its end', withRow({ verifications: 10 }), /^org_\w+ \(100 %\)$/],
];

describe('watch', () => {
  it('finds nothing where all is as well as it may be', () => {
    expect(runChecks(AT_THE_LIMIT).filter(({ found }) => found.length > 0)).toEqual([]);
  });

  it.each(WRONG)('%s finds %s, and says what of', (name, _, state, found) => {
    const wrong = runChecks(state).filter((finding) => finding.found.length > 0);
    expect(wrong.map(({ check }) => check.name)).toEqual([name]);
    expect(wrong[0]?.found.join()).toMatch(found);
    const failed = metricsOf(state).find((metric) => metric.name === 'email_verification.check.failed');
    expect(
      failed?.points.filter(({ value }) => value === 1).map(({ attributes }) => Object.values(attributes)),
    ).toEqual([[name]]);
  });

  it('has a wrong state here for each check', () => {
    expect(new Set(WRONG.map(([name]) => name))).toEqual(new Set(CHECKS.map(({ name }) => name)));
  });

  it.each(CHECKS)('the guide says of $name what the command says', ({ name, means }) => {
    expect(read('docs/guides/watch-it.md')).toContain(`| \`${name}\` | ${means} |`);
  });
});

describe('metrics', () => {
  it('are named as OpenTelemetry’s conventions have it, each with a unit', () => {
    for (const { name, unit, points } of metricsOf(WELL)) {
      expect(name).toMatch(/^email_verification(?:\.[a-z]+(?:_[a-z]+)*)+$/);
      expect(unit).toMatch(/^(?:1|s|\{\w+\})$/);
      for (const { attributes, value } of points) {
        expect(Number.isFinite(value)).toBe(true);
        for (const attribute of Object.keys(attributes)) expect(attribute).toMatch(/^[a-z]+(?:[._][a-z]+)*$/);
      }
    }
  });

  it('and findings hold no text of anybody, whatever the status shows', () => {
    const address = 'ada.lovelace@example.com';
    const state = withStatus({
      unread: [address],
      unreachable: [ORG],
      dead_letters: [{ queue: 'bulk', count: 1, newest_age_s: 1, newest: address }],
      settings: [{ setting: 'MAIL_FROM', problem: address, off: address }],
      cron: [{ step: 'nightly', age_s: 1, report: { failed: address } }],
    });
    expect(JSON.stringify([metricsOf(state), runChecks(state)])).not.toMatch(/lovelace|example\.com/);
  });

  it('are those of the ready alert rules, as Prometheus spells them', () => {
    const named = new Set(
      metricsOf(WELL).map(({ name, unit }) => {
        const suffix: Record<string, string> = { s: '_seconds', '1': '_ratio', '{USD}': '' };
        return `${name.replaceAll('.', '_')}${suffix[unit] ?? ''}`.replace(/_ratio_ratio$/, '_ratio');
      }),
    );
    const expressions = [...read('docs/public/monitoring/alerts.yaml').matchAll(/^ +expr: (.*)$/gm)].map(
      ([, text = '']) => text.replaceAll(/by \([^)]*\)|\{[^}]*\}/g, ''),
    );
    const used = expressions.flatMap((text) => text.match(/email_verification_\w+/g) ?? []);
    expect(used).toHaveLength(expressions.length);
    expect(used.filter((name) => !named.has(name))).toEqual([]);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JobRecord } from '../../../src/domain/bulk/job-record.ts';
import { DependencyError } from '../../../src/kernel/errors.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { callObject } from '../../../src/organisation/api.ts';
import { STATE_VERSION } from '../../../src/organisation/migrations.ts';
import { PORT_VERSION } from '../../../src/organisation/ports.ts';
import type { OrganisationObject } from '../../../src/runtime/organisation-object.ts';
import { stubNeon } from '../../support/fake-neon.ts';
import { createTestOrganisation, startObject } from '../../support/organisation.ts';
import { START_MS } from '../../support/records.ts';
import { admitRequest, finishRequest } from '../../support/requests.ts';
import { ADMITTED } from '../../support/scripted-object.ts';
import { created } from '../bulk/jobs.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  stubNeon();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

type Call = (object: OrganisationObject, v: never) => Promise<unknown>;

/** Every call that carries a version, as a Worker of that version sends it: with fields that are unknown here. */
const CALLS: readonly (readonly [name: string, call: Call])[] = [
  ['admit', (object, v) => object.admit(Object.assign(admitRequest(), { v, later: 1 }))],
  ['finish', (object, v) => object.finish(Object.assign(finishRequest('vr_1'), { v, later: 1 }))],
  ['createJob', (object, v) => object.createJob(Object.assign({ v, later: 1 }, { record: RECORD }))],
  ['findJob', (object, v) => object.findJob(Object.assign({ v, later: 1 }, { id: JOB }))],
  ['listJobs', (object, v) => object.listJobs({ v, mode: 'live', state: null, limit: 1, before: null })],
  ['moveJob', (object, v) => object.moveJob({ v, operationId: 'm', id: JOB, move: { kind: 'cancel' } })],
  ['noteSample', (object, v) => object.noteSample({ v, id: JOB, sample: SAMPLE })],
  ['claimRange', (object, v) => object.claimRange({ v, id: JOB, lease: 'l' })],
  ['renewRange', (object, v) => object.renewRange({ v, ...RANGE })],
  ['finishRange', (object, v) => object.finishRange({ v, ...RANGE, ...FINISHED })],
  ['failRange', (object, v) => object.failRange({ v, ...RANGE, retryAt: 1 })],
  ['matchRules', (object, v) => object.matchRules({ v, probes: [] })],
  ['listResults', (object, v) => object.listResults({ v, id: JOB })],
  ['restoreJobs', (object, v) => object.restoreJobs({ v, jobs: [] })],
  ['addRules', (object, v) => object.addRules({ ...RULES, v, subjects: [], note: null, createdBy: 'k' })],
  ['removeRules', (object, v) => object.removeRules({ ...RULES, v, by: 'key', values: [] })],
  ['listRules', (object, v) => object.listRules({ ...RULES, v, limit: 1, before: null })],
  ['reserveEnrichment', (object, v) => object.reserveEnrichment({ v, requestId: 'r', totalMicros: 1 })],
  ['putPolicy', (object, v) => object.putPolicy({ v, ...POLICY } as never)],
  ['readPolicy', (object, v) => object.readPolicy({ v, slug: 'default', version: null })],
  ['listPolicies', (object, v) => object.listPolicies({ v, limit: 1, before: null })],
  ['adoptCalibration', (object, v) => object.adoptCalibration({ v, version: null, computedAt: START_MS })],
];
const JOB = newId('bj', START_MS);
const RANGE = { id: JOB, range: 0, lease: 'l' };
const FINISHED = { outcome: { counts: {}, errors: 0 }, spendMicros: 0, enrichment: [], traces: [] };
const SAMPLE = { addresses: 1, cached: 0, expectedMicros: 0, at: START_MS };
const RECORD: JobRecord = {
  job: created(START_MS),
  owner: ADMITTED.key,
  organisation: ADMITTED.organisation,
  wishes: { hasHeader: null, emailColumn: null },
  upload: null,
  sample: null,
  policyVersion: null,
};
const RULES = { operationId: 'o', kind: 'domain', rule: 'block', later: 1 } as const;
const POLICY = {
  operationId: 'p',
  slug: 'default',
  document: '{}',
  createdBy: null,
  expected: null,
  later: 1,
} as const;

describe('a call of a Worker beside the object', () => {
  it.each(CALLS)('of the next release is answered: %s', async (_, call) => {
    const { object } = await createTestOrganisation();
    await expect(call(object, (PORT_VERSION + 1) as never)).resolves.not.toThrow();
  });

  it.each(CALLS)('of a later release is refused as an outage, and changes nothing: %s', async (_, call) => {
    const organisation = await createTestOrganisation();
    const before = organisation.dump();
    const tick = () => call(organisation.object, (PORT_VERSION + 2) as never) as Promise<void>;
    const deps = { stub: () => ({ tick }), now: () => START_MS, counters: { add: () => undefined } };
    expect(await callObject(deps, organisation.settings.id).tick()).toEqual({ ok: false, error: 'unreachable' });
    expect(organisation.dump()).toEqual(before);
  });
});

describe('an object’s state', () => {
  const setVersion = ({ storage }: Awaited<ReturnType<typeof createTestOrganisation>>, version: number) =>
    storage.sql.exec('update state_version set version = ?', version);

  it('is of the version of the release that has written it', async () => {
    const { dump } = await createTestOrganisation();
    expect(dump().state_version).toEqual([{ id: 1, version: STATE_VERSION }]);
  });

  it('of the next release is served, and stays of its version', async () => {
    const organisation = await createTestOrganisation();
    setVersion(organisation, STATE_VERSION + 1);
    organisation.evict();
    expect(await organisation.object.settings()).toEqual(organisation.settings);
    expect(organisation.dump().state_version).toEqual([{ id: 1, version: STATE_VERSION + 1 }]);
  });

  it('of a later release is left as it is', async () => {
    const organisation = await createTestOrganisation();
    setVersion(organisation, STATE_VERSION + 2);
    const before = organisation.dump();
    expect(() => startObject(organisation.storage)).toThrow(DependencyError);
    expect(organisation.dump()).toEqual(before);
  });

  it('from before versions were kept is of the first', async () => {
    const organisation = await createTestOrganisation();
    organisation.storage.sql.exec('drop table state_version');
    organisation.evict();
    expect(await organisation.object.settings()).toEqual(organisation.settings);
  });

  it('keeps what the next release has added to its counts', async () => {
    const organisation = await createTestOrganisation();
    await organisation.admit();
    const { sql } = organisation.storage;
    const stored = () => JSON.parse(sql.exec<{ state: string }>('select state from meter').toArray()[0]?.state ?? '');
    const added = stored();
    added.windows.later = { minute: 1, current: 2, previous: 3 };
    added.usage.later = 4;
    added.usage.calls.later = 5;
    sql.exec('update meter set state = ?', JSON.stringify(added));
    await organisation.admit();
    expect(stored()).toMatchObject({
      windows: { later: { current: 2 } },
      usage: { later: 4, calls: { later: 5, verify: 2 } },
    });
  });
});

import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { LossesChange } from '../../../src/domain/router/losses.ts';
import { createTestOrganisation, type TestOrganisation } from '../../support/organisation.ts';
import { START_MS } from '../../support/records.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
});

let operations = 0;
const put = ({ object }: TestOrganisation, change: Partial<LossesChange> = {}) => {
  operations += 1;
  const own = {
    operationId: `rq_l${operations}`,
    document: `{"n":${operations}}`,
    author: { actor: 'u_1' as const },
    expected: null,
  };
  return object.putLosses({ ...own, ...change });
};
const read = ({ object }: TestOrganisation, version: number | null = null) => object.readLosses({ version });
const PROBE = {
  addressHash: 'a'.repeat(64),
  domain: 'acme.example',
  history: { domain: 'd'.repeat(32), purpose: 'signup' },
} as const;

describe('the account’s own losses', () => {
  it('are none at first', async () => {
    const organisation = await createTestOrganisation();
    expect(await read(organisation)).toBeNull();
    expect(await organisation.authorize({ lookup: PROBE })).not.toHaveProperty('losses');
  });

  it('have a new version with each change, and every old one stays readable', async () => {
    const organisation = await createTestOrganisation();
    const [first, second] = [await put(organisation), await put(organisation)];
    expect([first, second]).toMatchObject([{ saved: { version: 1 } }, { saved: { version: 2 } }]);
    expect(await read(organisation)).toMatchObject({ version: 2, createdBy: 'u_1', createdAt: START_MS });
    expect(await read(organisation, 1)).toMatchObject({ version: 1 });
    expect(await read(organisation, 3)).toBeNull();
  });

  it('have no new version where nothing changes, or our own transport sends a change again', async () => {
    const organisation = await createTestOrganisation();
    const change = { operationId: 'rq_same', document: '{}' };
    for (let i = 0; i < 2; i += 1) expect(await put(organisation, change)).toMatchObject({ saved: { version: 1 } });
    expect(await put(organisation, { document: '{}' })).toMatchObject({ ok: true, saved: { version: 1 } });
  });

  it('change only where the version expected is in force; 0 is the service’s', async () => {
    const organisation = await createTestOrganisation();
    expect(await put(organisation, { expected: [1] })).toEqual({ ok: false, inForce: 0 });
    expect(await put(organisation, { expected: [0] })).toMatchObject({ ok: true });
    expect(await put(organisation, { expected: [0] })).toEqual({ ok: false, inForce: 1 });
    expect(await put(organisation, { expected: 'any' })).toMatchObject({ saved: { version: 2 } });
  });

  it('come with the authorization of the next verification, under a live key alone', async () => {
    const organisation = await createTestOrganisation();
    await put(organisation, { document: '{"signup":1}' });
    const losses = { version: 1, document: '{"signup":1}' };
    expect(await organisation.authorize({ lookup: PROBE })).toMatchObject({ losses });
    const { history: _, ...rules } = PROBE;
    expect(await organisation.authorize({ lookup: rules })).not.toHaveProperty('losses');
  });

  it('survive a rebuild from their projection, and stay as they are where they are there', async () => {
    const organisation = await createTestOrganisation();
    await put(organisation, { document: '{}' });
    const rows = organisation.dump().outbox as { kind: string; record: string }[];
    const versions = rows.filter(({ kind }) => kind === 'losses').map(({ record }) => JSON.parse(record));
    const other = await createTestOrganisation();
    for (let i = 0; i < 2; i += 1) await other.object.restoreLosses(versions);
    expect(await read(other)).toMatchObject({ version: 1, document: '{}' });
    await other.object.restoreLosses(versions.map((version) => ({ ...version, document: 'another' })));
    expect(await read(other)).toMatchObject({ document: '{}' });
    expect((await other.object.listPolicies({ limit: 50, before: null }))?.policies).toHaveLength(1);
  });
});

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/kernel/clock.ts';
import { createObjectStorage } from '../../support/object-storage.ts';
import { startOperators } from '../../support/organisation.ts';
import { START_MS } from '../../support/records.ts';

beforeEach(() => void vi.useFakeTimers({ now: START_MS }));

const start = () => startOperators(createObjectStorage());
const total = (count: number) => ({ count, sum: count, max: 1 });
const letter = (id: string, at = START_MS, queue = 'wake') => ({ queue, id, at, body: '{"v":1}' });
const org = (name: string) => `org_${name}` as const;

describe('the list of organisations', () => {
  it('holds each once, newest first, until it is dropped', async () => {
    const object = start();
    await object.noteOrganisations([org('a'), org('b')]);
    await object.noteOrganisations([org('b'), org('c')]);
    await object.dropOrganisation(org('a'));
    await object.dropOrganisation(org('a'));
    expect(await object.listOrganisations()).toEqual([org('c'), org('b')]);
  });
});

describe('the list of organisations at work', () => {
  it('holds each until it has been silent for 20 minutes and is ended, or is dropped', async () => {
    const object = start();
    await object.noteWork(org('silent'));
    await object.noteWork(org('dropped'));
    await object.noteWork(org('on'));
    await object.endWork(org('silent'));
    expect(await object.listAtWork()).toEqual([org('dropped'), org('on'), org('silent')]);
    vi.setSystemTime(START_MS + 20 * MINUTE_MS);
    await object.noteWork(org('on'));
    for (const id of [org('silent'), org('on')]) await object.endWork(id);
    await object.dropOrganisation(org('dropped'));
    expect(await object.listAtWork()).toEqual([org('on')]);
  });
});

describe('counters', () => {
  it('are added up over all isolates, for 24 hours and the one under way', async () => {
    const object = start();
    await object.addCounters({ a: total(1) });
    await object.addCounters({ a: total(2), b: total(1) });
    vi.setSystemTime(START_MS + 12 * HOUR_MS);
    await object.addCounters({ a: total(4) });
    expect((await object.readOperations()).counters).toEqual({ a: { count: 7, sum: 7, max: 1 }, b: total(1) });
    vi.setSystemTime(START_MS + 30 * HOUR_MS);
    await object.addCounters({});
    expect((await object.readOperations()).counters).toEqual({ a: { count: 4, sum: 4, max: 1 } });
  });

  it('write one row an hour', async () => {
    const storage = createObjectStorage();
    const object = startOperators(storage);
    for (let each = 0; each < 100; each += 1) await object.addCounters({ [`counter:${each}`]: total(1) });
    expect(storage.sql.exec('select * from fleet_hour').toArray()).toHaveLength(1);
  });
});

describe('dead letters', () => {
  it('are recorded once, newest first, for 14 days', async () => {
    const object = start();
    await object.addDeadLetters([letter('1'), letter('2', START_MS + 1), letter('1', START_MS, 'bulk')]);
    await object.addDeadLetters([letter('1')]);
    expect((await object.readOperations()).deadLetters).toHaveLength(3);
    expect((await object.readOperations()).deadLetters[0]).toEqual(letter('2', START_MS + 1));
    vi.setSystemTime(START_MS + 14 * DAY_MS + 1);
    expect((await object.readOperations()).deadLetters).toEqual([letter('2', START_MS + 1)]);
  });

  it('are the newest thousand', async () => {
    const object = start();
    const letters = Array.from({ length: 1_050 }, (_, place) => letter(`${place}`, START_MS + place));
    await object.addDeadLetters(letters);
    const { deadLetters } = await object.readOperations();
    expect(deadLetters).toHaveLength(1_000);
    expect(deadLetters.at(-1)).toEqual(letter('50', START_MS + 50));
  });
});

import { describe, expect, it } from 'vitest';
import { issueKey, keySecret, readKey } from '../../../src/domain/access/keys.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { keyMemory } from '../../../src/runtime/isolate.ts';
import { START_MS } from '../../support/records.ts';

const secret = keySecret(Buffer.alloc(32, 1).toString('base64'));
const claims = { organisationId: newId('org', START_MS), mode: 'live', role: 'member', operator: false } as const;
const key = issueKey(secret, claims, new Uint8Array(16));

function remembering() {
  const read: string[] = [];
  const clock = { now: START_MS };
  const { read: reader, refuse } = keyMemory(
    (text) => {
      read.push(text);
      return readKey([secret], text);
    },
    () => clock.now,
  );
  return { reader, read, refuse, clock };
}

describe('the memory of keys', () => {
  it('checks the MAC of a key once', () => {
    const { reader, read } = remembering();
    expect([reader(key), reader(key)]).toEqual([claims, claims]);
    expect(read).toEqual([key]);
  });

  it('keeps no forged key, and takes none for the key it resembles', () => {
    const { reader, read } = remembering();
    reader(key);
    const forged = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`;
    expect([reader(forged), reader(forged)]).toEqual([null, null]);
    expect(read).toEqual([key, forged, forged]);
  });

  it('refuses for five seconds what the object has refused', () => {
    const { reader, refuse, clock } = remembering();
    reader(key);
    refuse(key);
    clock.now += 4_999;
    expect(reader(key)).toBeNull();
    clock.now += 1;
    expect(reader(key)).toEqual(claims);
  });
});

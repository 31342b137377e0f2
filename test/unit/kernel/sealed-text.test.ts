import { expect, it } from 'vitest';
import { openSealed, sealText } from '../../../src/kernel/crypto.ts';

const KEY = new Uint8Array(32).fill(7);

it('a sealed text opens for its owner under its key, and shows nothing of itself', async () => {
  const sealed = await sealText(KEY, 'con_1', 'whsec_geheimnis ü');
  expect(await openSealed(KEY, 'con_1', sealed)).toBe('whsec_geheimnis ü');
  expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('geheimnis');
  expect(await sealText(KEY, 'con_1', 'whsec_geheimnis ü')).not.toBe(sealed);
});

it.each<[string, (sealed: string) => Promise<string>]>([
  ['under another key', (sealed) => openSealed(new Uint8Array(32).fill(8), 'con_1', sealed)],
  ['for another owner', (sealed) => openSealed(KEY, 'con_2', sealed)],
  [
    'when it was changed',
    (sealed) => openSealed(KEY, 'con_1', `${sealed.slice(0, 20)}${sealed[20] === 'A' ? 'B' : 'A'}${sealed.slice(21)}`),
  ],
  ['when it was cut', (sealed) => openSealed(KEY, 'con_1', sealed.slice(0, 24))],
  ['when it is empty', () => openSealed(KEY, 'con_1', '')],
])('a sealed text does not open %s', async (_, open) => {
  const sealed = await sealText(KEY, 'con_1', 'whsec_x');
  await expect(open(sealed)).rejects.toThrow(Error);
});

import { describe, expect, it } from 'vitest';
import {
  LOSSES,
  type Losses,
  lossesBody,
  lossesInForce,
  lossesOf,
  SERVICE_LOSSES,
  stakesOf,
} from '../../../src/domain/router/losses.ts';

const OWN: Losses = { bounce: 0.5, contactLost: 4, heldGood: 0.25, heldBad: 0.125 };
const SENT = { bounce: 0.5, contact_lost: 4, held_good: 0.25, held_bad: 0.125 };

describe('the losses in force', () => {
  it('are the service’s own, as version 0, where none were set', () => {
    expect(lossesInForce(null)).toEqual({ version: 0, table: LOSSES });
    expect(lossesInForce(null)).toBe(SERVICE_LOSSES);
  });

  it.each(['outbound', 'signup', 'list_hygiene'] as const)(
    'are the account’s for %s where it has set them, and the service’s for every other purpose',
    (purpose) => {
      const inForce = lossesInForce({ version: 3, document: JSON.stringify({ [purpose]: SENT }) });
      expect(inForce).toEqual({ version: 3, table: { ...LOSSES, [purpose]: OWN } });
      expect(stakesOf(inForce, purpose)).toEqual({ purpose, losses: OWN });
    },
  );
});

it('losses have one name each on the wire, and come back the same', () => {
  expect(lossesBody(OWN)).toEqual(SENT);
  expect(lossesOf(SENT)).toEqual(OWN);
});

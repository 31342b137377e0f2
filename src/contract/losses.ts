import * as z from 'zod';

/** More than any mistake costs; a number beyond it is a slip of units. */
const DOLLARS_MAX = 1e6;
const Dollars = z.number().min(0).max(DOLLARS_MAX);

/** What each mistake costs, in US dollars. */
export const Losses = z.strictObject({
  bounce: Dollars.describe('A message sent to an address that bounces.'),
  contact_lost: Dollars.describe('A good contact dropped.'),
  held_good: Dollars.describe('A good contact held or challenged.'),
  held_bad: Dollars.describe('A bad address held or challenged.'),
});
export type Losses = z.infer<typeof Losses>;

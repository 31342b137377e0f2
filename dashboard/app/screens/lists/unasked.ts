/** Why no provider was asked, and what would change it; without a remedy, nothing needs to. */
const UNASKED: Readonly<Record<string, { readonly why: string; readonly remedy?: string }>> = {
  no_provider: { why: 'no provider is connected', remedy: 'Ask your operator to connect one.' },
  test_key: { why: 'a test key asks no provider' },
  settled: { why: 'free checks already settle them' },
  known: { why: 'an earlier answer or report already covers them' },
  not_worth_its_price: {
    why: 'a lookup costs more than the mistake it prevents',
    remedy: 'Raise your costs of mistakes to have more of them checked.',
  },
  budget_spent: { why: 'the month’s provider budget is spent', remedy: 'Ask your operator for a larger budget.' },
  over_the_ceiling: { why: 'a lookup is over the price ceiling', remedy: 'Ask your operator for a higher ceiling.' },
  unavailable: { why: 'every provider was failing', remedy: 'Check them again later.' },
};

/** Why the estimate leaves addresses out. */
export const NOT_ASKED: Readonly<Record<string, string>> = {
  terminal: 'settled by free checks',
  rule: 'decided by your rules',
  recent: 'known from the last 30 days',
  catch_all: 'at catch-all domains',
  budget: 'beyond the provider budget',
  no_provider: 'no provider connected',
};

/** The main reason that something can be done about, in words; null: nothing has to be done. */
export function whyUnchecked(
  counts: Readonly<Partial<Record<string, number>>>,
): { readonly why: string; readonly remedy: string } | null {
  const found = Object.entries(counts)
    .filter(([reason, count = 0]) => count > 0 && UNASKED[reason]?.remedy !== undefined)
    .toSorted(([, one = 0], [, other = 0]) => other - one)[0];
  const { why = '', remedy = '' } = (found && UNASKED[found[0]]) ?? {};
  return found === undefined ? null : { why, remedy };
}

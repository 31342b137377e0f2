/** A Stripe object of any API version. */
export type Json = Readonly<Record<string, unknown>> | null | undefined;

const at = (value: Json, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inner, name) => (typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[name] : null),
    value,
  );

/** The text at a path; the id, where Stripe expanded an object in its place. */
export function textAt(value: Json, ...path: string[]): string | null {
  const found = at(value, path);
  const text = typeof found === 'object' && found !== null ? (found as { id?: unknown }).id : found;
  return typeof text === 'string' && text !== '' ? text : null;
}

export function numberAt(value: Json, ...path: string[]): number | null {
  const found = at(value, path);
  return typeof found === 'number' && Number.isFinite(found) ? found : null;
}

const PER_YEAR: Readonly<Record<string, number>> = { day: 365, week: 365 / 7, month: 12, year: 1 };

/** An item's yearly cost in its currency's smallest unit; null where the price is not fixed (usage, tiers). */
function itemAmount(item: Json): number | null {
  const unit = numberAt(item, 'price', 'unit_amount') ?? numberAt(item, 'plan', 'amount');
  const every = textAt(item, 'price', 'recurring', 'interval') ?? textAt(item, 'plan', 'interval') ?? '';
  const count = numberAt(item, 'price', 'recurring', 'interval_count') ?? numberAt(item, 'plan', 'interval_count') ?? 1;
  const perYear = PER_YEAR[every];
  if (unit === null || perYear === undefined || count <= 0) return null;
  return (unit * (numberAt(item, 'quantity') ?? 1) * perYear) / count;
}

/** The sum of a subscription's items; null where the price of one is not fixed. */
export function yearlyAmount(subscription: Json): number | null {
  const items = at(subscription, ['items', 'data']);
  if (!Array.isArray(items) || items.length === 0) return null;
  return items.reduce<number | null>((sum, item) => {
    const amount = itemAmount(item as Json);
    return sum === null || amount === null ? null : sum + amount;
  }, 0);
}

/**
 * The sum before an update, from `previous_attributes`: the earlier items or, in API versions before 2019, `plan` and
 * `quantity` of the only item. Null where these did not change.
 */
export function yearlyAmountBefore(now: Json, before: Json): number | null {
  const items = yearlyAmount(before);
  if (items !== null) return items;
  const [plan, quantity] = [at(before, ['plan']), at(before, ['quantity'])];
  if ((plan ?? quantity ?? null) === null) return null;
  return itemAmount({ plan: plan ?? at(now, ['plan']), quantity: quantity ?? at(now, ['quantity']) });
}

/** Replaces ids, times and durations by fixed values, so that a document can show an answer. */

const ID = /\b([a-z]{1,4})_[0-9a-hjkmnp-tv-z]{22,26}\b/g;
const SECRET = /^evk_(live|test)_[0-9A-Za-z]{40,}$/;
const LAST_4 = 'x4Qp';
/** A server of the test itself. */
const OWN_PORT = /127\.0\.0\.1:\d+/g;
const HASH = /^[0-9a-f]{64}$/;
/** 2026-03-01 12:00 UTC, and the month it lies in. */
const AT_S = 1_772_366_400;
const MONTH_S: Readonly<Record<string, number>> = { from: 1_772_323_200, to: 1_775_001_600 };
const SHOWN_MS = 12;
const MINUTE_S = 60;

/** Equal ids stay equal, different ones stay different. */
function steadyIds() {
  const seen = new Map<string, string>();
  return (id: string, prefix: string): string => {
    const shown = seen.get(id) ?? `${prefix}_01kjmz7c6m4f1n9t3w7x2d5k${String(seen.size + 10)}`;
    seen.set(id, shown);
    return shown;
  };
}

function steadyNumber(key: string, value: number): number {
  if (key === 'expires_at') return AT_S + 7 * 86_400;
  if (key === 'at' || key.endsWith('_at') || key === 't0') return AT_S;
  // The document shows the distance from now.
  if (key === 'free_by' || key === 'valid_until')
    return AT_S + Math.round((value - Date.now() / 1000) / MINUTE_S) * MINUTE_S;
  if (key === 'latency_ms' || key === 'ms') return SHOWN_MS;
  return MONTH_S[key] ?? value;
}

export function steady(answer: unknown): unknown {
  const idOf = steadyIds();
  return JSON.parse(JSON.stringify(answer), (key, value: unknown) => {
    if (typeof value === 'number') return steadyNumber(key, value);
    if (typeof value !== 'string') return value;
    if (key === 'last4') return LAST_4;
    if (SECRET.test(value)) return `evk_live_${'0'.repeat(58)}${LAST_4}`;
    return HASH.test(value) ? '9f'.repeat(32) : value.replaceAll(ID, idOf).replaceAll(OWN_PORT, 'dns.example');
  });
}

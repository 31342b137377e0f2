/** The names events have in the contract; any `custom:` one is a metric too. */
export const METRICS = [
  { name: 'signup_completed', fewerIsBetter: false },
  { name: 'activated', fewerIsBetter: false },
  { name: 'subscribed', fewerIsBetter: false },
  { name: 'upgraded', fewerIsBetter: false },
  { name: 'churned', fewerIsBetter: true },
  { name: 'refunded', fewerIsBetter: true },
  { name: 'support_ticket', fewerIsBetter: true },
  { name: 'fraud_flag', fewerIsBetter: true },
] as const;

/** A custom metric does not say; most count what is wished for. */
export const isFewerBetter = (metric: string): boolean =>
  METRICS.some(({ name, fewerIsBetter }) => name === metric && fewerIsBetter);

/** The event names of the contract; any `custom:` name is a metric too. */
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

/** Whether fewer events are better. For a custom metric more is taken to be better, as most count something wanted. */
export const isFewerBetter = (metric: string): boolean =>
  METRICS.some(({ name, fewerIsBetter }) => name === metric && fewerIsBetter);

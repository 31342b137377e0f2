/** A part of the proof, by the word that runs it. */
export interface Part {
  readonly title: string;
  /** What it shows, as docs/proof.md says it. */
  readonly promise: string;
}

/** In the order of docs/proof.md. Each is the file `proof/<name>.proof.ts`. */
export const PARTS = {
  isolation: {
    title: 'Isolation',
    promise:
      'An id of another organisation is answered as an id that never was: with the same words, after the same number of statements and calls. Counted, not timed.',
  },
  security: {
    title: 'Security',
    promise:
      'OWASP’s API Security Top 10 (2023), for the API, and ASVS 5.0.0 at level 2, for the dashboard, item by item, each with the test that shows it. What does not hold is said so. Then what is shipped: dependencies, their list and their licences.',
  },
  leaks: {
    title: 'Leak scan',
    promise:
      'After everything was used, no byte of any store, log or mail has an address or a name of a customer’s people, in any usual encoding: live bulk files and members’ own addresses aside. Nor after `forget`, nor after the 7 days of files.',
  },
  models: {
    title: 'Races',
    promise:
      'Jobs and their leases, requests under one `Idempotency-Key`, and the way of traces to Postgres: what holds of them holds in every order of their steps, crashes of the object among them.',
  },
  mutation: {
    title: 'Mutation',
    promise:
      'The pure parts of verification, calibration, policy, metering and rules are changed in every way that Stryker knows, one change at a time: a test fails. Those that no test finds are listed.',
  },
  exactness: {
    title: 'Exactness',
    promise:
      'Where a limit ends, exactly as many get in as fit, however many ask at the same time; counters and charges are exact afterwards. What is sent twice has one effect.',
  },
  fuzzing: {
    title: 'Fuzzing',
    promise:
      'Whatever is sent, to any route and with any key: no answer is a failure of the service, and each is as the OpenAPI document says. The heap is afterwards as large as before, and what grew in it is named.',
  },
  faults: {
    title: 'Fault matrix',
    promise:
      'Whatever a dependency does, each route is answered in its time: as without the fault, as one that had to do without and says so, or as an outage that says when to come again. No answer shows what went wrong, and with the fault gone all is well again.',
  },
  crashes: {
    title: 'Crash safety',
    promise:
      'What was acknowledged is there after the runtime was killed, whatever it was at: no trace, outcome, rule, key, policy or import is lost, counters are exact, files end as if undisturbed, and people stay signed in.',
  },
} as const satisfies Readonly<Record<string, Part>>;

export type PartName = keyof typeof PARTS;
export const PART_NAMES = Object.keys(PARTS) as PartName[];

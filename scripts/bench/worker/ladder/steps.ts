export type Route = 'check' | 'verify';

/** From the bare route to ours: each step has all that stands before it, and one part more. */
export const STEPS = [
  { name: 'bare', adds: 'the bare route' },
  { name: 'isolate', adds: 'the same in an isolate with our code' },
  { name: 'object', adds: 'our object in place of the bare one' },
  { name: 'calls', adds: 'time limit, second try and counters of each call' },
  { name: 'frame', adds: 'frame: body within its limit, its schema, the key, ids, headers' },
  { name: 'log', adds: 'the line of the log' },
  { name: 'facts', adds: 'address, hashes, mail hosts' },
  { name: 'whole', adds: 'assessment, trace, answer' },
  { name: 'service', adds: 'the service itself, in its own isolate' },
] as const;

export type Step = (typeof STEPS)[number]['name'];

/** Where a step is served: on which Worker, below which path. */
export const PLACES = {
  bare: ['bare', ''],
  isolate: ['ladder', 'bare/'],
  object: ['ladder', 'object/'],
  calls: ['ladder', 'calls/'],
  frame: ['ladder', 'frame/'],
  log: ['ladder', 'log/'],
  facts: ['ladder', 'facts/'],
  whole: ['ladder', 'whole/'],
  service: ['service', ''],
} as const satisfies Record<Step, readonly [worker: string, path: string]>;

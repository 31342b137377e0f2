import { ORGANISATIONS_PREFIX } from '../../src/domain/bulk/job-record.ts';
import type { Names } from './names.ts';
import { type Call, type Called, printedList } from './wrangler.ts';

/** Something that is looked up and, if missing, created. */
export interface Resource {
  readonly name: string;
  readonly find: Call;
  /** From the look-up's output; null means it failed for another reason. */
  readonly isThere: (found: Called) => boolean | null;
  readonly create: Call;
}

/** Where R2 can place a bucket; the other regions of Durable Objects have none of their own. */
const BUCKET_LOCATIONS = ['weur', 'eeur', 'apac', 'wnam', 'enam', 'oc'];

/** The most the platform keeps a message: somebody has to see it before it is gone. */
const DEAD_LETTER_RETENTION_S = 14 * 86_400;

/**
 * Backs up the service's own deletion of files at 7 days, and covers broken-off uploads. Whole words of the command,
 * after the bucket's name.
 */
const LIFECYCLE_RULES = [
  ['delete-bulk-files', ORGANISATIONS_PREFIX, '--expire-days', '9'],
  ['abort-uploads', ORGANISATIONS_PREFIX, '--abort-multipart-days', '1'],
] as const;

/** How creating an existing resource is refused: a look-up may have missed it (buckets are listed by the page). */
export const IS_THERE_ALREADY = /already (?:exists|taken)/;

/** A line `name:  value` of wrangler's lists. */
const lists = (name: string) => (found: Called) =>
  found.ok ? found.stdout.split('\n').some((line) => /^name:\s+(.*?)\s*$/.exec(line)?.[1] === name) : null;

/** Titles and ids as `kv namespace list` prints them. */
export const namespacesIn = (stdout: string): { id: string; title: string }[] =>
  printedList(LIST_NAMESPACES, stdout, ['id', 'title']);

export const LIST_NAMESPACES: Call = { args: ['kv', 'namespace', 'list'] };

const namespace = (title: string): Resource => ({
  name: `KV namespace ${title}`,
  find: LIST_NAMESPACES,
  isThere: ({ ok, stdout }) => (ok ? namespacesIn(stdout).some((one) => one.title === title) : null),
  create: { args: ['kv', 'namespace', 'create', title] },
});

const bucket = (name: string, region: string | null): Resource => ({
  name: `R2 bucket ${name}`,
  find: { args: ['r2', 'bucket', 'list'] },
  isThere: lists(name),
  create: {
    args: [
      'r2',
      'bucket',
      'create',
      name,
      ...(region !== null && BUCKET_LOCATIONS.includes(region) ? ['--location', region] : []),
    ],
  },
});

const lifecycleRule = (bucketName: string, [rule, ...words]: readonly [string, ...string[]]): Resource => ({
  name: `Lifecycle rule ${rule}`,
  find: { args: ['r2', 'bucket', 'lifecycle', 'list', bucketName] },
  isThere: lists(rule),
  // Without `--force` it prompts.
  create: { args: ['r2', 'bucket', 'lifecycle', 'add', bucketName, rule, ...words, '--force'] },
});

const queue = (name: string, options: readonly string[] = []): Resource => ({
  name: `Queue ${name}`,
  find: { args: ['queues', 'info', name] },
  isThere: ({ ok, output }) => (ok ? true : output.includes('does not exist') ? false : null),
  create: { args: ['queues', 'create', name, ...options] },
});

/** In order of creation. The namespace is first, because its id goes into `wrangler.toml`. */
export const resourcesOf = (names: Names): readonly Resource[] => [
  namespace(names.namespace.title),
  bucket(names.bucket, names.region),
  ...LIFECYCLE_RULES.map((rule) => lifecycleRule(names.bucket, rule)),
  ...names.deadLetterQueues.map((name) =>
    queue(name, ['--message-retention-period-secs', String(DEAD_LETTER_RETENTION_S)]),
  ),
  ...names.queues.map((name) => queue(name)),
];

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unstable_readConfig } from 'wrangler';
import { DeploymentError } from './deployment-error.ts';

/** The placeholder in `wrangler.toml` until the namespace exists. */
const NO_NAMESPACE = /^0+$/;

/** A configuration and one of its environments; null means production, at its top level. */
export interface Target {
  readonly configFile: string;
  readonly environment: string | null;
}

/** Everything that a deployment needs besides the Worker, as `wrangler.toml` names it. */
export interface Names {
  readonly worker: string;
  /** Title and id of the namespace of binding `FACTS`; the id is null until it exists. */
  readonly namespace: { readonly title: string; readonly id: string | null };
  readonly bucket: string;
  readonly queues: readonly string[];
  readonly deadLetterQueues: readonly string[];
  /** `PRIMARY_REGION`, where objects are placed, or null. */
  readonly region: string | null;
  /** The Worker's variables, and `AI` if it has that binding. */
  readonly bindings: Readonly<Record<string, unknown>>;
}

/** The parts of the configuration that are read here; wrangler's own types lack these names. */
interface Configuration {
  readonly name?: string;
  readonly kv_namespaces: readonly { readonly binding: string; readonly id?: string }[];
  readonly r2_buckets: readonly { readonly binding: string; readonly bucket_name?: string }[];
  readonly queues: { readonly consumers?: readonly { readonly queue: string; readonly dead_letter_queue?: string }[] };
  readonly vars: Readonly<Record<string, unknown>>;
  readonly ai?: { readonly binding: string };
}

function readConfiguration({ configFile, environment }: Target): Configuration {
  try {
    return unstable_readConfig({ config: configFile, env: environment ?? '' });
  } catch (error) {
    throw new DeploymentError(`${configFile} can’t be read: ${(error as Error).message}`);
  }
}

/** Throws when the file lacks what the Worker binds. */
export function readNames(target: Target): Names {
  const { name, kv_namespaces, r2_buckets, queues, vars, ai } = readConfiguration(target);
  const namespace = kv_namespaces.find(({ binding }) => binding === 'FACTS');
  const bucket = r2_buckets.find(({ binding }) => binding === 'BULK_FILES')?.bucket_name;
  const consumers = queues.consumers ?? [];
  const dead = consumers.flatMap(({ dead_letter_queue }) => dead_letter_queue ?? []);
  if (name === undefined || namespace === undefined || bucket === undefined || dead.length === 0)
    throw new DeploymentError(`${target.configFile} names no Worker, FACTS, BULK_FILES or queues`);
  const { id } = namespace;
  return {
    worker: name,
    namespace: { title: `${name}-facts`, id: id === undefined || NO_NAMESPACE.test(id) ? null : id },
    bucket,
    queues: consumers.flatMap(({ queue }) => (dead.includes(queue) ? [] : queue)),
    deadLetterQueues: dead,
    region: typeof vars['PRIMARY_REGION'] === 'string' ? vars['PRIMARY_REGION'] : null,
    bindings: ai === undefined ? vars : { ...vars, [ai.binding]: {} },
  };
}

/** The only line of an environment that a program writes. */
const factsId = (environment: string | null): RegExp =>
  new RegExp(
    `(\\[\\[${environment === null ? '' : `env\\.${environment}\\.`}kv_namespaces\\]\\]\nbinding = "FACTS"\nid = ")[0-9a-f]*(")`,
  );

/** Writes the namespace's id. Throws if the file has another form than the committed one. */
export function writeNamespaceId({ configFile, environment }: Target, id: string): void {
  const text = readFileSync(configFile, 'utf8');
  const line = factsId(environment);
  if (!line.test(text)) throw new DeploymentError(`Enter the id of FACTS into ${configFile} by hand: ${id}`);
  writeFileSync(configFile, text.replace(line, `$1${id}$2`));
}

/** The dashboard's configuration beside the service's. */
export const dashboardOf = ({ configFile, environment }: Target): Target => ({
  configFile: join(dirname(configFile), 'dashboard/wrangler.toml'),
  environment,
});

/** The dashboard's URL in its configuration; null means it is not to be deployed. */
export function dashboardUrlIn(target: Target): string | null {
  const { DASHBOARD_URL: url } = readConfiguration(target).vars as { DASHBOARD_URL?: string };
  return url ? url.replace(/\/$/, '') : null;
}

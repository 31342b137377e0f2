import { execFileSync } from 'node:child_process';
import { setServers } from 'node:dns';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mailchecker from 'mailchecker';
import * as z from 'zod';
import { commandLine } from './command-line.ts';
import { callService, type Connection, findConnection } from './operator/api.ts';
import { CASES, GOOD, type Kind } from './peers/cases.ts';
import { serveZones } from './peers/dns-over-udp.ts';

/**
 * `npm run peers`: compares libraries and this service on the same addresses, over the same local DNS. Libraries that
 * are not our packages are fetched into a temporary folder.
 */
const program = commandLine('peers', 'Compares check and verify of the running local stack with libraries.')
  .option('--state <dir>', 'state of the running stack', '.local')
  .option('--write', 'write docs/peers.md')
  .parse();
const options = program.opts<{ state: string; write?: true }>();

const FETCHED = { 'deep-email-validator': '0.1.27', validator: '13.15.35', 'email-validator': '2.0.4' } as const;
const MEASURE_MS = 1_500;
/** Calls under way at a time, of those that wait. */
const AT_ONCE = 32;

/** Whether it refuses the address, or reports a fault. */
type Judge = (email: string) => boolean | Promise<boolean>;
interface Peer {
  readonly name: string;
  readonly how: string;
  readonly refuses: Judge;
  readonly waits: boolean;
}

const operator = findConnection(options);
const folder = mkdtempSync(join(tmpdir(), 'peers-'));
const zones = await serveZones();
setServers([zones.address]);
try {
  const peers = [...(await services()), ...libraries()];
  const rows = [];
  for (const peer of peers) rows.push(await rowOf(peer));
  const text = page(peers, rows);
  console.log(text);
  if (options.write) writeFileSync(join(import.meta.dirname, '../docs/peers.md'), text);
} finally {
  zones.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** An organisation of its own, whose rate does not bound the measurement. */
async function services(): Promise<Peer[]> {
  const made = (await callService(operator, 'POST', '/operator/v1/organisations', { name: 'Peers' })) as {
    organisation: { id: string };
  };
  const path = `/operator/v1/organisations/${made.organisation.id}`;
  await callService(operator, 'PATCH', path, { rate_per_minute: 1_000_000, verification_quota: 1_000_000 });
  const { key } = (await callService(operator, 'POST', `${path}/keys`, {
    name: 'peers',
    role: 'member',
    origin: 'auto',
  })) as { key: { key: string } };
  const own: Connection = { ...operator, key: key.key };
  const ask = (route: string, email: string) =>
    callService(own, 'POST', route, { email }) as Promise<Readonly<Record<string, unknown>>>;
  return [
    {
      name: '`check`',
      how: 'refuses where there is a reason other than `mx_unresolved`, or a correction is offered',
      async refuses(email) {
        const { reasons, did_you_mean: meant } = await ask('/v1/check', email);
        return meant !== undefined || (reasons as string[]).some((reason) => reason !== 'mx_unresolved');
      },
      waits: true,
    },
    {
      name: '`verify`',
      how: 'refuses where the recommendation is not `send`, or a correction is offered; no vendor is asked',
      async refuses(email) {
        const { recommendation, did_you_mean: meant } = await ask('/v1/verify', email);
        return meant !== undefined || recommendation !== 'send';
      },
      waits: true,
    },
  ];
}

function libraries(): Peer[] {
  const names = Object.entries(FETCHED).map(([name, version]) => `${name}@${version}`);
  execFileSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', ...names], {
    stdio: 'ignore',
  });
  const load = createRequire(join(folder, 'peers.cjs'));
  const deep = load('deep-email-validator') as {
    validate(options: object): Promise<{ valid: boolean }>;
  };
  const validator = load('validator') as { isEmail(email: string): boolean };
  const emailValidator = load('email-validator') as { validate(email: string): boolean };
  const schema = z.email();
  return [
    {
      name: 'deep-email-validator',
      how: `${FETCHED['deep-email-validator']}, without its SMTP step, which needs port 25`,
      refuses: async (email) =>
        !(await deep.validate({ email, validateSMTP: false, additionalTopLevelDomains: ['test'] })).valid,
      waits: true,
    },
    {
      name: 'mailchecker',
      how: '6.0.21, `isValid`: syntax and its list of disposable domains',
      refuses: (email) => !mailchecker.isValid(email),
      waits: false,
    },
    {
      name: 'validator',
      how: `${FETCHED.validator}, \`isEmail\``,
      refuses: (email) => !validator.isEmail(email),
      waits: false,
    },
    {
      name: 'email-validator',
      how: FETCHED['email-validator'],
      refuses: (email) => !emailValidator.validate(email),
      waits: false,
    },
    { name: 'zod', how: '4.6.7, `z.email()`', refuses: (email) => !schema.safeParse(email).success, waits: false },
  ];
}

interface Row {
  readonly refused: ReadonlyMap<Kind, number>;
  readonly aSecond: number;
}

async function rowOf({ refuses, waits }: Peer): Promise<Row> {
  const refused = new Map<Kind, number>();
  for (const [kind, emails] of Object.entries(CASES) as [Kind, readonly string[]][]) {
    let count = 0;
    for (const email of emails) if (await refuses(email)) count += 1;
    refused.set(kind, count);
  }
  await speedOf(refuses, waits ? AT_ONCE : 1);
  return { refused, aSecond: await speedOf(refuses, waits ? AT_ONCE : 1) };
}

/** Addresses that all of them accept, repeated; the first round warms up. */
async function speedOf(refuses: Judge, atOnce: number): Promise<number> {
  const emails = ['anna.schmidt@gmail.com', 'j.martinez84@outlook.com', 'mei.tanaka@icloud.com'];
  const startedMs = performance.now();
  let calls = 0;
  const callOn = async (): Promise<void> => {
    while (performance.now() - startedMs < MEASURE_MS) {
      await refuses(emails[calls % emails.length] ?? '');
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, callOn));
  return (calls / (performance.now() - startedMs)) * 1_000;
}

function page(peers: readonly Peer[], rows: readonly Row[]): string {
  const kinds = Object.keys(CASES) as Kind[];
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const share = (kind: Kind, row: Row): string => `${row.refused.get(kind)} of ${CASES[kind].length}`;
  const counts = (filter: (kind: Kind) => boolean): string[] =>
    kinds.filter(filter).map((kind) => line([kind, ...rows.map((row) => share(kind, row))]));
  const head = [line(['', ...peers.map(({ name }) => name)]), line(['---', ...peers.map(() => '---')])];
  const rounded = (value: number): string => Number(value.toPrecision(2)).toLocaleString('en');
  return `# Beside other libraries

What this service and well-known libraries find of the same addresses, in one run over the same local DNS. Start the service with
\`npm start\`, then run

\`\`\`console
npm run peers -- --write
\`\`\`

which wrote this page. The addresses are in \`scripts/peers/cases.ts\`. No tool may send mail or open port 25.

## What is found

More is better.

${[...head, ...counts((kind) => !GOOD.has(kind))].join('\n')}

## What is wrongly refused

Less is better: these addresses are good, or nobody can know.

${[...head, ...counts((kind) => GOOD.has(kind))].join('\n')}

## Calls a second

${[...head, line(['on one machine', ...rows.map(({ aSecond }) => rounded(aSecond))])].join('\n')}

\`check\` and \`verify\` answer over HTTP, ${AT_ONCE} requests at a time, with the client on the same two cores; deep-email-validator has as many look-ups under
way. The others are functions of one thread that look nothing up.

## How each is called

${peers.map(({ name, how }) => `- ${name}: ${how}.`).join('\n')}
`;
}

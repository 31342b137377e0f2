import { afterAll, describe, expect, it, vi } from 'vitest';
import { TOOLS } from '../src/contract/mcp.ts';
import { MAIL_SERVICES } from '../src/domain/feedback/outcomes.ts';
import { pause } from '../src/kernel/clock.ts';
import { queueMessage } from '../src/services/queue-message.ts';
import { type Findings, sectionText, writeFindings } from './document.ts';
import { Bodies } from './faults/bodies.ts';
import { type Client, type Entry, entriesOf, openClient } from './faults/entries.ts';
import { EXPECTED, expectedOf, limitOf, type Outcome, WORDS_EXPECTED, wordsOf } from './faults/expected.ts';
import { INCOMING, sendIncoming } from './faults/incoming.ts';
import { deliver, JOBS, type JobStage, POISONED, stageJob } from './faults/jobs.ts';
import { MODES, MODES_OF, type Mode, WORDS } from './faults/modes.ts';
import { DEPENDENCIES, DEPENDENCY_NAMES, type Dependency, openWorld, type Scope, VARIANTS } from './faults/world.ts';
import { ApiDocument } from './fuzzing/document.ts';
import { ONLY, rested } from './support/settings.ts';

/** Concurrent cases: most of the time a case waits for a hanging dependency. */
const CLIENTS = 8;
/** Beyond every time limit: a request without an answer by then never gets one. */
const GIVEN_UP_MS = 100_000;
/** How long work after an answer may take. */
const SETTLE_MS = 1_000;
/** The platform ends a queue message’s work after 15 minutes; ours should end long before. */
const JOB_LIMIT_MS = 300_000;
const HOURS = 3_600_000;
/** No request waits for them. */
const BY_WORK_ALONE: readonly Dependency[] = ['queue of timers', 'queue of nights'];

const world = await openWorld();
const document = new ApiDocument();

/**
 * These run alone: one sets the clock of the whole process, one’s token is void once a later one was used, and two call every
 * organisation, which keeps all others waiting.
 */
const ALONE = ['resumeBulkJob', 'bootstrap', 'status', 'acceptSource'];
const ALL = entriesOf(document).filter(({ id }) => ONLY.length === 0 || ONLY.some((text) => id.includes(text)));

interface Answer {
  readonly status: number | 'cut' | 'none';
  readonly text: string;
  readonly body: unknown;
  readonly type: string;
  readonly retryAfter: string | null;
  readonly ms: number;
}
const nothing = (status: 'cut' | 'none', text: string, ms: number): Answer => ({
  status,
  text,
  body: null,
  type: '',
  retryAfter: null,
  ms,
});

/** One request within a scope, prepared outside of it. */
async function ask(client: Client, entry: Entry, scope: Scope, fault: Scope['fault']): Promise<Answer> {
  const send = await entry.prepare(client);
  scope.fault = fault;
  const startedAt = performance.now();
  const since = () => Math.round(performance.now() - startedAt);
  let timer: NodeJS.Timeout | undefined;
  const none = new Promise<Answer>((resolve) => {
    timer = setTimeout(() => resolve(nothing('none', '', since())), GIVEN_UP_MS);
  });
  const answered = world.within(scope, send).then(
    ({ status, headers, body }): Answer => ({
      status,
      text: typeof body === 'string' ? body : JSON.stringify(body),
      body,
      type: (headers.get('content-type') ?? '').split(';')[0] ?? '',
      retryAfter: headers.get('retry-after'),
      ms: since(),
    }),
    (error: Error): Answer => nothing('cut', error.message, since()),
  );
  const answer = await Promise.race([answered, none]);
  clearTimeout(timer);
  await Promise.race([Promise.allSettled(scope.deferred), new Promise((resolve) => setTimeout(resolve, SETTLE_MS))]);
  scope.fault = null;
  vi.useRealTimers();
  return answer;
}

function outcomeOf(answer: Answer, healthy: number): string {
  if (answer.status === healthy) return 'healthy' satisfies Outcome;
  if (answer.status === 503 && answer.text.includes('"dependency_unavailable"') && answer.retryAfter !== null)
    return 'away';
  if (answer.status === 429 && answer.retryAfter !== null) return 'busy';
  if ([400, 401, 404, 409].includes(Number(answer.status))) return 'refused';
  return String(answer.status);
}

const healthyOf = new Map<string, number>();
const usedBy = new Map<string, readonly Dependency[]>();
const bodies = new Bodies();
const faults: string[] = [];

interface Tally {
  cases: number;
  readonly outcomes: Map<string, number>;
  slowestMs: number;
  slowest: string;
}
const tallies = new Map<string, Tally>();
const messages: string[][] = [];

function count(all: Map<string, Tally>, key: string, outcome: string, ms: number, what: string): void {
  const tally = all.get(key) ?? { cases: 0, outcomes: new Map(), slowestMs: 0, slowest: '' };
  all.set(key, tally);
  tally.cases += 1;
  tally.outcomes.set(outcome, (tally.outcomes.get(outcome) ?? 0) + 1);
  if (ms > tally.slowestMs) Object.assign(tally, { slowestMs: ms, slowest: what });
}

type Case = readonly [entry: Entry, dependency: Dependency, mode: Mode];
/** Cases that were tried again. */
let again = 0;
/** A failed case is repeated alone: on a busy machine a wait may end before its answer comes. */
async function tryAll(cases: readonly Case[], clients: number): Promise<void> {
  const rest = cases[Symbol.iterator]();
  const doubtful: Case[] = [];
  let done = 0;
  const attempt = (client: Client, one: Case): Promise<Tried> =>
    tryCase(client, one).catch((error: Error) => ({
      outcome: 'not tried',
      ms: 0,
      faults: [`${one[0].called}, ${one[1]} ${one[2]}: could not be tried: ${error.stack?.slice(0, 300)}`],
    }));
  const note = ([entry, dependency, mode]: Case, { outcome, ms, faults: found }: Tried): void => {
    count(tallies, `${dependency}|${mode}`, outcome, ms, entry.called);
    faults.push(...found);
  };
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = await openClient(world);
      for (const one of rest) {
        await rested();
        const tried = await attempt(client, one);
        if (tried.faults.length === 0) note(one, tried);
        else doubtful.push(one);
        for (const fault of tried.faults) process.stdout.write(`${fault}\n`);
        done += 1;
        if (done % 200 === 0)
          process.stdout.write(`${done} of ${cases.length} cases, ${doubtful.length} to try again\n`);
      }
    }),
  );
  again += doubtful.length;
  const client = await openClient(world);
  for (const one of doubtful) {
    await rested();
    const tried = await attempt(client, one);
    note(one, tried);
    for (const fault of tried.faults) process.stdout.write(`again: ${fault}\n`);
  }
}

/** The judged body of an answer with a healthy status; null if it has no body to compare. */
function wordOf(entry: Entry, { body }: Answer, told: string): string | null {
  return typeof body === 'object' && body !== null ? bodies.wordOf(entry.id, body, told) : null;
}

/** A request without a fault, the reference for the others. `difference`: to earlier references. */
async function askHealthy(client: Client, entry: Entry, dependency?: Dependency) {
  const scope = world.scope(dependency);
  const answer = await ask(client, entry, scope, null);
  const { body, status } = answer;
  const isCompared = status === (healthyOf.get(entry.id) ?? status) && typeof body === 'object' && body !== null;
  return { answer, scope, difference: isCompared ? bodies.learn(entry.id, body) : null };
}

/** A statement that hangs is given up after 10 s. What an object writes waits for it, and `forget` says so. */
const HEALED_MS = 12_000;
const LOOK_AGAIN_MS = 1_000;

/** Repeats a request while its answer differs from the reference, or says that a work before it has not ended. */
async function askHealed(client: Client, entry: Entry) {
  const until = performance.now() + HEALED_MS;
  for (;;) {
    const after = await askHealthy(client, entry);
    const isHealed = after.difference === null && after.answer.status !== 429;
    if (isHealed || performance.now() > until) return after;
    await pause(LOOK_AGAIN_MS);
  }
}

/** One case with its findings. */
interface Tried {
  readonly outcome: string;
  readonly ms: number;
  readonly faults: readonly string[];
}

async function tryCase(client: Client, [entry, dependency, mode]: Case): Promise<Tried> {
  const found: string[] = [];
  const what = `${entry.called}, ${dependency} ${mode}`;
  const scope = world.scope(dependency);
  const healthy = healthyOf.get(entry.id) ?? 200;
  const answer = await ask(client, entry, scope, { dependency, mode });
  const outcome = outcomeOf(answer, healthy);
  const told = `${what}: ${answer.status} after ${answer.ms} ms: ${answer.text.slice(0, 600)}`;
  const word = outcome === 'healthy' ? wordOf(entry, answer, told) : null;
  if (!(expectedOf(dependency, mode, entry.id) as readonly string[]).includes(outcome))
    found.push(`unexpected ${outcome}: ${told}`);
  if (word !== null && !(wordsOf(dependency, mode, entry.id) as readonly string[]).includes(word))
    found.push(`unexpected ${word}: ${told}`);
  if (answer.ms > limitOf(entry.id)) found.push(`late: ${told}`);
  if (answer.text.includes(WORDS)) found.push(`shows the fault’s words: ${told}`);
  if (typeof answer.status === 'number') {
    if (answer.status >= 400 && answer.text.includes('@')) found.push(`shows an address: ${told}`);
    const fault = entry.operation && document.faultOf(entry.operation, answer.status, answer.type, answer.text);
    if (fault) found.push(`undocumented, ${fault}: ${told}`);
  }
  const after = await askHealed(client, entry);
  if (after.answer.status !== healthy)
    found.push(`not healthy afterwards: ${what}: ${after.answer.status}: ${after.answer.text.slice(0, 200)}`);
  if (after.difference !== null) found.push(`not healthy afterwards: ${what}: ${after.difference}`);
  return { outcome: word === null || word === 'same' ? outcome : word, ms: answer.ms, faults: found };
}

const isAlone = ({ id }: Entry): boolean => ALONE.includes(id);
/** What stands in for another dependency is reached under settings of its own alone. */
const PLAIN = DEPENDENCY_NAMES.filter((name) => VARIANTS[name] === undefined);
const STAND_INS = DEPENDENCY_NAMES.filter((name) => VARIANTS[name] !== undefined);

describe('what can be asked', () => {
  it(
    'says which dependencies it uses, while all is well',
    async () => {
      const client = await openClient(world);
      for (const entry of ALL) {
        const { answer, scope, difference } = await askHealthy(client, entry);
        if (difference !== null) faults.push(`${entry.called}, healthy: ${difference}`);
        if (typeof answer.status !== 'number' || answer.status >= 500)
          faults.push(`${entry.called}, healthy: ${answer.status}: ${answer.text.slice(0, 200)}`);
        healthyOf.set(entry.id, Number(answer.status));
        const used = PLAIN.filter((name) => scope.used.has(name));
        usedBy.set(entry.id, used);
        for (const name of STAND_INS) {
          if (!used.includes(VARIANTS[name]?.of ?? name)) continue;
          const varied = await askHealthy(client, entry, name);
          if (varied.answer.status !== answer.status || varied.difference !== null)
            faults.push(`${entry.called}, with ${name}: ${varied.answer.status}, ${varied.difference}`);
          if (varied.scope.used.has(name)) usedBy.set(entry.id, [...(usedBy.get(entry.id) ?? []), name]);
        }
      }
      const unused = DEPENDENCY_NAMES.filter((name) => ![...usedBy.values()].some((used) => used.includes(name)));
      expect([faults, ONLY.length === 0 ? unused : BY_WORK_ALONE]).toEqual([[], BY_WORK_ALONE]);
    },
    HOURS,
  );

  it(
    'answers as it should, whatever a dependency does',
    async () => {
      let turn = 0;
      const cases = ALL.flatMap((entry) =>
        DEPENDENCY_NAMES.flatMap((dependency): Case[] => {
          const modes: readonly Mode[] = MODES_OF[DEPENDENCIES[dependency]];
          const isUsed = usedBy.get(entry.id)?.includes(dependency) === true;
          const others = PLAIN.includes(dependency) ? [modes[(turn += 1) % modes.length] ?? 'down'] : [];
          return (isUsed ? modes : others).map((mode) => [entry, dependency, mode]);
        }),
      );
      await tryAll(
        cases.filter(([entry]) => !isAlone(entry)),
        CLIENTS,
      );
      await tryAll(
        cases.filter(([entry]) => isAlone(entry)),
        1,
      );
      faults.push(...bodies.differences());
      expect(faults).toEqual([]);
    },
    HOURS,
  );
});

const jobTallies = new Map<string, Tally>();
const jobsUse = new Map<string, readonly Dependency[]>();
const JOB_CLIENTS = 8;

async function runJob(name: string, scope: Scope, stage: JobStage, fault: Scope['fault']) {
  scope.fault = fault;
  const startedAt = performance.now();
  const work = world.within(scope, async () => JOBS[name]?.(world, scope, stage) ?? 'none');
  const outcome = await Promise.race([
    work.catch((error: Error) => `threw ${error.message.slice(0, 80)}`),
    pause(JOB_LIMIT_MS).then(() => 'never ended'),
  ]);
  scope.fault = null;
  return { outcome, ms: Math.round(performance.now() - startedAt) };
}

async function tryJob(name: string, dependency: Dependency, mode: Mode) {
  const scope = world.scope(dependency);
  const stage = await stageJob(world, name);
  const { outcome, ms } = await runJob(name, scope, stage, { dependency, mode });
  count(jobTallies, `${name}|${dependency}`, outcome, ms, mode);
  if (outcome !== 'done' && outcome !== 'again')
    faults.push(`${name}, ${dependency} ${mode}: ${outcome} after ${ms} ms`);
  const after = await runJob(name, scope, stage, null);
  if (after.outcome !== 'done') faults.push(`not healthy afterwards: ${name}, ${dependency} ${mode}: ${after.outcome}`);
}

describe.runIf(ONLY.length === 0)('work without a caller', () => {
  it(
    'is done or comes again, whatever a dependency does',
    async () => {
      for (const name of Object.keys(JOBS)) {
        const used: Dependency[] = [];
        for (const varied of [undefined, ...STAND_INS]) {
          if (varied !== undefined && !used.includes(VARIANTS[varied]?.of ?? varied)) continue;
          const scope = world.scope(varied);
          const { outcome } = await runJob(name, scope, await stageJob(world, name), null);
          if (outcome !== 'done') faults.push(`${name}, healthy: ${outcome}`);
          const names = varied === undefined ? PLAIN : [varied];
          used.push(...names.filter((each) => scope.used.has(each)));
        }
        jobsUse.set(name, used);
      }
      const cases = Object.keys(JOBS).flatMap((name) =>
        (jobsUse.get(name) ?? []).flatMap((dependency) =>
          MODES_OF[DEPENDENCIES[dependency]].map((mode: Mode) => [name, dependency, mode] as const),
        ),
      );
      const rest = cases[Symbol.iterator]();
      const before = faults.length;
      const client = async () => {
        for (const [name, dependency, mode] of rest) {
          await rested();
          await tryJob(name, dependency, mode);
        }
      };
      await Promise.all(Array.from({ length: JOB_CLIENTS }, client));
      expect(faults.slice(before)).toEqual([]);
    },
    HOURS,
  );
});

describe.runIf(ONLY.length === 0)('messages of queues', () => {
  it.each(Object.entries(POISONED))('poisoned: %s', async (what, { body, outcome }) => {
    const scope = world.scope();
    const became = await world.within(scope, () => deliver(scope, body));
    messages.push(['poisoned', what, became === 'done' ? 'dropped or done' : 'kept for the later release']);
    expect(became).toBe(outcome);
  });

  it.each([
    ['lost', 'every other one', 0],
    ['doubled', 'each comes 64 times at once', 64],
    ['late', 'each comes again when the job has ended', 1],
  ] as const)('%s: %s', async (what, how, copies) => {
    const stage = await stageJob(world);
    const message = queueMessage({ kind: 'job', organisationId: stage.organisationId, jobId: stage.jobId });
    const scope = world.scope();
    const send = () => world.within(scope, () => deliver(scope, message));
    let sent = 0;
    const isDone = async () =>
      (await world.service.call('GET', `/v1/bulk/jobs/${stage.jobId}`, stage.key)).body.job.state === 'done';
    if (copies > 1) await Promise.all(Array.from({ length: copies }, send));
    const startedAt = Date.now();
    for (let tries = 0; tries < 20 && !(await isDone()); tries += 1) {
      // The job’s own timer sends lost wake-ups again after half a minute.
      vi.useFakeTimers({ toFake: ['Date'], now: startedAt + tries * 40_000 });
      await world.service.runJobs(stage.organisationId, () => copies === 0 && (sent += 1) % 2 === 1);
    }
    vi.useRealTimers();
    if (copies === 1) await send();
    const { calls } = (await world.service.call('GET', '/v1/usage', stage.key)).body;
    messages.push([what, how, `the job is done, and ${calls.bulk} addresses are charged`]);
    expect(await isDone()).toBe(true);
    expect(calls.bulk).toBe(2);
  });
});

const received: string[][] = [];
describe('what mail services send', () => {
  it.each(MAIL_SERVICES.flatMap((kind) => INCOMING.map((incoming) => [kind, incoming.what, incoming] as const)))(
    '%s: %s',
    async (kind, what, incoming) => {
      const { statuses, kept } = await sendIncoming(world, kind, incoming);
      received.push([kind, what, statuses.join(', '), `${kept} of ${incoming.kept}`]);
      if (kept !== incoming.kept || statuses.some((status) => !incoming.statuses.includes(status)))
        faults.push(`${kind}, ${what}: ${statuses.join(', ')}, ${kept} kept`);
      expect([kept, statuses.filter((status) => !incoming.statuses.includes(status))]).toEqual([incoming.kept, []]);
    },
  );
});

const listed = (names: readonly string[] | 'any'): string => (names === 'any' ? 'any' : names.join(', '));
const listOf = (outcomes: ReadonlyMap<string, number>): string =>
  [...outcomes]
    .map(([name, times]) => `${name} × ${times}`)
    .sort()
    .join(', ');

afterAll(async () => {
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  const order = (key: string): number => {
    const [dependency, mode] = key.split('|');
    return DEPENDENCY_NAMES.indexOf(dependency as Dependency) * 100 + Object.keys(MODES).indexOf(mode ?? '');
  };
  const sorted = [...tallies].sort(([a], [b]) => order(a) - order(b));
  const cases = sorted.reduce((sum, [, tally]) => sum + tally.cases, 0);
  const jobCases = [...jobTallies.values()].reduce((sum, tally) => sum + tally.cases, 0);
  const using = (dependency: Dependency, by: ReadonlyMap<string, readonly Dependency[]>) =>
    [...by].filter(([, used]) => used.includes(dependency)).map(([name]) => name);
  const routes = ALL.filter(({ operation }) => operation !== null).length;
  const found: Findings = {
    summary: `${cases} requests to ${routes} routes, ${TOOLS.length} tools of MCP and ${ALL.length - routes - TOOLS.length} pages and calls of the dashboard, each with one dependency at fault, and as many with the fault gone; ${jobCases} pieces of work without a caller. The whole service in one process: its own code and the dashboard’s, objects on SQLite, Postgres, DNS and vendors as servers, KV, R2, queues, Workers AI and the dashboard’s binding as bindings that fail. Each mode is tried on each route that uses the dependency, as the run has counted with nothing at fault; the others have one mode of each dependency. A provider fails as the one of several that is asked first. \`healthy\` is the status of the answer without a fault, and what matters of its body too: of a verification, check, screening or decision all but the number, of other answers each field and its type. ${again} cases of which something was wrong were tried again by themselves, and count as they came out then. ${faults.length === 0 ? 'Each answer was as the second and the third table say, in its time, as the document describes it, and without a word of what went wrong; afterwards all was well.' : `**Faults: ${faults.length}.**`}`,
    tables: [
      {
        title: 'Who uses what',
        columns: ['dependency', 'routes', 'work without a caller'],
        rows: DEPENDENCY_NAMES.map((name) => {
          const entries = using(name, usedBy);
          return [
            name,
            entries.length > 12 ? `${entries.length} of ${ALL.length}` : entries.join(', '),
            using(name, jobsUse).join('; '),
          ];
        }),
      },
      {
        title: 'What may come out, the first row that fits',
        columns: ['dependency', 'mode', 'routes', 'outcomes', 'reason'],
        rows: EXPECTED.map(({ of, modes, routes: entries, outcomes, reason }) => [
          listed(of),
          listed(modes),
          listed(entries),
          outcomes.join(', '),
          reason,
        ]),
      },
      {
        title: 'What an answer of the healthy status may say, the first row that fits',
        columns: ['dependency', 'mode', 'of', 'says', 'reason'],
        rows: WORDS_EXPECTED.map(({ of, modes, routes: entries, words, reason }) => [
          listed(of),
          listed(modes),
          listed(entries),
          words.join(', '),
          reason,
        ]),
      },
      {
        title: 'What came out, by dependency and mode',
        columns: ['dependency', 'mode', 'requests', 'outcomes', 'slowest, in ms'],
        rows: sorted.map(([key, { cases: tried, outcomes, slowestMs, slowest }]) => {
          const [dependency = '', mode = ''] = key.split('|');
          return [dependency, mode, tried, listOf(outcomes), `${slowestMs}: \`${slowest}\``];
        }),
      },
      {
        title: 'Work without a caller: done, or delivered again',
        columns: ['work', 'dependency', 'cases', 'outcomes', 'slowest, in ms'],
        rows: [...jobTallies].map(([key, { cases: tried, outcomes, slowestMs, slowest }]) => {
          const [name = '', dependency = ''] = key.split('|');
          return [name, dependency, tried, listOf(outcomes), `${slowestMs}: ${slowest}`];
        }),
      },
      {
        title: 'Webhooks of mail services',
        columns: ['service', 'what it sends', 'answered', 'reports kept'],
        rows: received,
      },
      { title: 'Messages of queues', columns: ['what', 'how', 'what came of it'], rows: messages },
      ...(faults.length === 0
        ? []
        : [{ title: 'Faults', columns: ['fault'], rows: faults.map((fault) => [`\`${fault.replaceAll('`', '')}\``]) }]),
    ],
  };
  if (ONLY.length === 0) writeFindings('faults', found);
  else process.stdout.write(`${sectionText(found)}\n`);
  await world.stop();
});

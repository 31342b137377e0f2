import { afterAll, describe, expect, it, vi } from 'vitest';
import type { RouteDeclaration } from '../src/contract/route.ts';
import { ROUTES } from '../src/contract/routes.ts';
import { pause } from '../src/kernel/deadline.ts';
import { wireMessage } from '../src/services/queue-message.ts';
import { ApiCalls } from '../test/support/api-calls.ts';
import { writeFindings } from './document.ts';
import { EXPECTED, expectedOf, limitOf, type Outcome } from './faults/expected.ts';
import { deliver, JOBS, type JobStage, POISONED } from './faults/jobs.ts';
import { MODES, MODES_OF, type Mode, WORDS } from './faults/modes.ts';
import { DEPENDENCIES, DEPENDENCY_NAMES, type Dependency, openWorld, type Scope } from './faults/world.ts';
import { ApiDocument } from './fuzzing/document.ts';

/** Side by side: most of the time a case waits for what hangs. */
const CLIENTS = 24;
/** Beyond every limit: a request that is not answered by then never is. */
const GIVEN_UP_MS = 100_000;
/** What follows an answer may take this long. */
const SETTLE_MS = 100;
/** The platform ends a message’s work after 15 minutes; it should have ended long before. */
const JOB_LIMIT_MS = 300_000;
const HOURS = 3_600_000;

const world = await openWorld();
const document = new ApiDocument();

type OwnOrganisation = Awaited<ReturnType<typeof world.service.createOrganisation>>;
type Calls = Awaited<ReturnType<typeof openCalls>>;
/** A client’s own organisations. The examples are asked with a live key: a test key reaches nothing. */
async function openCalls() {
  const { service } = world;
  const createOrganisation = async (limits: object = {}) => {
    const made = await service.createOrganisation(Object.assign({ rate_per_minute: 1_000_000 }, limits));
    return Object.assign({}, made, { keys: Object.assign({}, made.keys, { test: made.keys.member }) });
  };
  const calls = await ApiCalls.open(Object.assign({}, service, { createOrganisation }), world.amazon);
  const policy = {
    name: 'By country',
    rules: [{ id: 'de', when: { path: 'company.country', op: 'eq', value: 'DE' }, decision: 'review' }],
    default: 'allow',
  };
  expect((await service.call('PUT', '/v1/policies/default', calls.keys.admin, policy)).status).toBe(200);
  return calls;
}

let serial = 0;
const named = (domain: string): string => `person${(serial += 1)}@${domain}`;
/** Bodies that lead to more dependencies than the examples do. */
const BODIES: Readonly<Record<string, () => object>> = {
  verify: () => ({ email: named('business.test') }),
  check: () => ({ email: named('business.test') }),
  decide: () => ({ email: named('zoho.test') }),
  screen: () => ({ email: `asdf.qwerty${(serial += 1)}@google-workspace.test`, name: 'Asdf Qwerty' }),
  acceptSource: () => ({ source: world.listUrl }),
};
/** One sets the clock of the whole process, the other’s token is void once a later one was used: nothing goes on beside them. */
const ALONE = ['resumeBulkJob', 'bootstrap'];

const ALL = Object.entries<RouteDeclaration>(ROUTES).map(([id, route]) => ({
  id,
  route,
  called: `${route.method.toUpperCase()} ${route.path}`,
  operation: document.operations.find(
    ({ method, path }) => method === route.method.toUpperCase() && path === route.path.replaceAll(/:(\w+)/g, '{$1}'),
  ),
}));
type Route = (typeof ALL)[number];

interface Answer {
  readonly status: number | 'cut' | 'none';
  readonly text: string;
  readonly type: string;
  readonly retryAfter: string | null;
  readonly ms: number;
}

/** One request of a route within a scope, made ready outside of it. */
async function ask(calls: Calls, { id, route }: Route, scope: Scope, fault: Scope['fault']): Promise<Answer> {
  const send = await calls.prepared(id, route, BODIES[id]?.());
  scope.fault = fault;
  const startedAt = performance.now();
  const since = () => Math.round(performance.now() - startedAt);
  let timer: NodeJS.Timeout | undefined;
  const none = new Promise<Answer>((resolve) => {
    timer = setTimeout(
      () => resolve({ status: 'none', text: '', type: '', retryAfter: null, ms: since() }),
      GIVEN_UP_MS,
    );
  });
  const answered = world.within(scope, send).then(
    ({ status, headers, body }): Answer => ({
      status,
      text: typeof body === 'string' ? body : JSON.stringify(body),
      type: (headers.get('content-type') ?? '').split(';')[0] ?? '',
      retryAfter: headers.get('retry-after'),
      ms: since(),
    }),
    (error: Error): Answer => ({ status: 'cut', text: error.message, type: '', retryAfter: null, ms: since() }),
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
  if ([400, 401, 409].includes(Number(answer.status))) return 'refused';
  return String(answer.status);
}

const healthyOf = new Map<string, number>();
const usedBy = new Map<string, readonly Dependency[]>();
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

async function tryCase(calls: Calls, route: Route, dependency: Dependency, mode: Mode): Promise<void> {
  const what = `${route.called}, ${dependency} ${mode}`;
  const scope = world.scope();
  const healthy = healthyOf.get(route.id) ?? 200;
  const answer = await ask(calls, route, scope, { dependency, mode });
  const outcome = outcomeOf(answer, healthy);
  count(tallies, `${dependency}|${mode}`, outcome, answer.ms, route.called);
  const told = `${what}: ${answer.status} after ${answer.ms} ms: ${answer.text.slice(0, 200)}`;
  if (!(expectedOf(dependency, mode, route.id) as readonly string[]).includes(outcome))
    faults.push(`unexpected ${outcome}: ${told}`);
  if (answer.ms > limitOf(route.id)) faults.push(`late: ${told}`);
  if (answer.text.includes(WORDS)) faults.push(`shows the fault’s words: ${told}`);
  if (typeof answer.status === 'number') {
    if (answer.status >= 400 && answer.text.includes('@')) faults.push(`shows an address: ${told}`);
    const fault = route.operation && document.faultOf(route.operation, answer.status, answer.type, answer.text);
    if (fault) faults.push(`undocumented, ${fault}: ${told}`);
  }
  const after = await ask(calls, route, scope, null);
  if (after.status !== healthy)
    faults.push(`not healthy afterwards: ${what}: ${after.status}: ${after.text.slice(0, 200)}`);
}

type Case = readonly [route: Route, dependency: Dependency, mode: Mode];
async function tryAll(cases: readonly Case[], clients: number): Promise<void> {
  const rest = cases[Symbol.iterator]();
  let done = 0;
  const opened = await Promise.all(Array.from({ length: clients }, openCalls));
  await Promise.all(
    opened.map(async (calls) => {
      for (const [route, dependency, mode] of rest) {
        await tryCase(calls, route, dependency, mode).catch((error: Error) =>
          faults.push(`${route.called}, ${dependency} ${mode}: could not be tried: ${error.stack?.slice(0, 300)}`),
        );
        done += 1;
        if (done % 200 === 0) process.stdout.write(`${done} of ${cases.length} cases, ${faults.length} faults\n`);
      }
    }),
  );
}

const isAlone = ({ id }: Route): boolean => ALONE.includes(id);

describe('routes', () => {
  it('say which dependencies they use, while all is well', async () => {
    const calls = await openCalls();
    for (const route of ALL) {
      const scope = world.scope();
      const answer = await ask(calls, route, scope, null);
      if (typeof answer.status !== 'number' || answer.status >= 500)
        faults.push(`${route.called}, healthy: ${answer.status}: ${answer.text.slice(0, 200)}`);
      healthyOf.set(route.id, Number(answer.status));
      usedBy.set(
        route.id,
        DEPENDENCY_NAMES.filter((name) => scope.used.has(name)),
      );
    }
    expect(faults).toEqual([]);
  });

  it(
    'answer as they should, whatever a dependency does',
    async () => {
      let turn = 0;
      const cases = ALL.flatMap((route) =>
        DEPENDENCY_NAMES.flatMap((dependency): Case[] => {
          const modes: readonly Mode[] = MODES_OF[DEPENDENCIES[dependency]];
          const isUsed = usedBy.get(route.id)?.includes(dependency) === true;
          const tried = isUsed ? modes : [modes[(turn += 1) % modes.length] ?? 'down'];
          return tried.map((mode) => [route, dependency, mode]);
        }),
      );
      await tryAll(
        cases.filter(([route]) => !isAlone(route)),
        CLIENTS,
      );
      await tryAll(
        cases.filter(([route]) => isAlone(route)),
        1,
      );
      expect(faults).toEqual([]);
    },
    HOURS,
  );
});

const jobTallies = new Map<string, Tally>();
const jobsUse = new Map<string, readonly Dependency[]>();
const JOB_CLIENTS = 8;

/** An organisation whose job has started, and has its range left. */
async function stageJob(organisation: OwnOrganisation): Promise<JobStage> {
  const post = (path: string, body: object) =>
    world.service.call('POST', `/v1/bulk/jobs${path}`, organisation.keys.member, body);
  const { id } = (await post('', {})).body.job;
  await post(`/${id}/paste`, { emails: [named('business.test'), named('nxdomain.test')] });
  await post(`/${id}/start`, {});
  return { organisationId: organisation.id as JobStage['organisationId'], jobId: id };
}

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

async function tryJob(organisation: OwnOrganisation, name: string, dependency: Dependency, mode: Mode) {
  const scope = world.scope();
  const stage = await stageJob(organisation);
  const { outcome, ms } = await runJob(name, scope, stage, { dependency, mode });
  count(jobTallies, `${name}|${dependency}`, outcome, ms, mode);
  if (outcome !== 'done' && outcome !== 'again')
    faults.push(`${name}, ${dependency} ${mode}: ${outcome} after ${ms} ms`);
  const after = await runJob(name, scope, stage, null);
  if (after.outcome !== 'done') faults.push(`not healthy afterwards: ${name}, ${dependency} ${mode}: ${after.outcome}`);
}

describe('work without a caller', () => {
  it(
    'is done or comes again, whatever a dependency does',
    async () => {
      const organisations = await Promise.all(
        Array.from({ length: JOB_CLIENTS }, () => world.service.createOrganisation({})),
      );
      const [first] = organisations;
      if (first === undefined) throw new Error('no organisation');
      for (const name of Object.keys(JOBS)) {
        const scope = world.scope();
        const { outcome } = await runJob(name, scope, await stageJob(first), null);
        if (outcome !== 'done') faults.push(`${name}, healthy: ${outcome}`);
        jobsUse.set(
          name,
          DEPENDENCY_NAMES.filter((each) => scope.used.has(each)),
        );
      }
      const cases = Object.keys(JOBS).flatMap((name) =>
        (jobsUse.get(name) ?? []).flatMap((dependency) =>
          MODES_OF[DEPENDENCIES[dependency]].map((mode: Mode) => [name, dependency, mode] as const),
        ),
      );
      const rest = cases[Symbol.iterator]();
      const before = faults.length;
      await Promise.all(
        organisations.map(async (organisation) => {
          for (const [name, dependency, mode] of rest) await tryJob(organisation, name, dependency, mode);
        }),
      );
      expect(faults.slice(before)).toEqual([]);
    },
    HOURS,
  );
});

describe('messages of queues', () => {
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
    const organisation = await world.service.createOrganisation();
    const stage = await stageJob(organisation);
    const message = wireMessage({ kind: 'job', organisationId: stage.organisationId, jobId: stage.jobId });
    const scope = world.scope();
    const send = () => world.within(scope, () => deliver(scope, message));
    let sent = 0;
    const isDone = async () =>
      (await world.service.call('GET', `/v1/bulk/jobs/${stage.jobId}`, organisation.keys.member)).body.job.state ===
      'done';
    if (copies > 1) await Promise.all(Array.from({ length: copies }, send));
    const startedAt = Date.now();
    for (let tries = 0; tries < 20 && !(await isDone()); tries += 1) {
      // What was lost is sent again by the job’s own timer, which waits half a minute.
      vi.useFakeTimers({ toFake: ['Date'], now: startedAt + tries * 40_000 });
      await world.service.runJobs(organisation.id, () => copies === 0 && (sent += 1) % 2 === 1);
    }
    vi.useRealTimers();
    if (copies === 1) await send();
    const { calls } = (await world.service.call('GET', '/v1/usage', organisation.keys.member)).body;
    messages.push([what, how, `the job is done, and ${calls.bulk} addresses are charged`]);
    expect(await isDone()).toBe(true);
    expect(calls.bulk).toBe(2);
  });
});

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
  writeFindings('faults', {
    summary: `${cases} requests to ${ALL.length} routes, each with one dependency at fault, and as many with the fault gone; ${jobCases} pieces of work without a caller. The whole service in one process: its own code, objects on SQLite, Postgres, DNS and vendors as servers, KV, R2 and queues as bindings that fail. Each mode is tried on each route that uses the dependency, as the run has counted with nothing at fault; the others have one mode of each dependency. ${faults.length === 0 ? 'Each answer was as the second table says, in its time, as the document describes it, and without a word of what went wrong; afterwards all was well.' : `**Faults: ${faults.length}.**`} Not tried: providers one by one (\`test/long/providers.test.ts\`), the dashboard’s binding. Of the mail services Amazon’s alone is asked for anything.`,
    tables: [
      {
        title: 'Who uses what',
        columns: ['dependency', 'routes', 'work without a caller'],
        rows: DEPENDENCY_NAMES.map((name) => {
          const routes = using(name, usedBy);
          return [
            name,
            routes.length > 12 ? `${routes.length} of ${ALL.length}` : routes.join(', '),
            using(name, jobsUse).join('; '),
          ];
        }),
      },
      {
        title: 'What may come out, the first row that fits',
        columns: ['dependency', 'mode', 'routes', 'outcomes', 'reason'],
        rows: EXPECTED.map(({ of, modes, routes, outcomes, reason }) => [
          of === 'any' ? 'any' : of.join(', '),
          modes === 'any' ? 'any' : modes.join(', '),
          routes === 'any' ? 'any' : routes.join(', '),
          outcomes.join(', '),
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
      { title: 'Messages of queues', columns: ['what', 'how', 'what came of it'], rows: messages },
      ...(faults.length === 0
        ? []
        : [{ title: 'Faults', columns: ['fault'], rows: faults.map((fault) => [`\`${fault.replaceAll('`', '')}\``]) }]),
    ],
  });
  await world.stop();
});

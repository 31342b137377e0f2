import { type Context, Hono } from 'hono';
import type { CheckResult } from '../../../../src/contract/check.ts';
import { FIRST_ROUTES } from '../../../../src/contract/first-routes.ts';
import type { Verification } from '../../../../src/contract/verification.ts';
import { USUAL_PURPOSE } from '../../../../src/contract/vocabulary.ts';
import { FIRST_VERBS } from '../../../../src/entrypoints/first-verbs.ts';
import type { HttpEnv } from '../../../../src/entrypoints/http/env.ts';
import { answerVerb } from '../../../../src/entrypoints/http/mount.ts';
import { type OpenDeps, served } from '../../../../src/entrypoints/http/served.ts';
import { type Id, newId } from '../../../../src/kernel/ids.ts';
import {
  type AdmitRequest,
  type Completion,
  callObject,
  type FinishRequest,
} from '../../../../src/organisation/api.ts';
import type { Input } from '../../../../src/organisation/ports.ts';
import type { ObjectStub } from '../../../../src/runtime/object-stub.ts';
import { OrganisationObject } from '../../../../src/runtime/organisation-object.ts';
import { openDeps } from '../../../../src/runtime/wiring.ts';
import { type AnyVerb, verb } from '../../../../src/services/verb.ts';
import { ceilingsOf } from '../../../../src/services/verification/assess.ts';
import { gather } from '../../../../src/services/verification/gather.ts';
import { verificationProbe } from '../../../../src/services/verification/history.ts';
import { lookUp, rulesProbe, subjectOf } from '../../../../src/services/verification/local-facts.ts';
import { bare } from '../bare.ts';
import type { Route } from './steps.ts';

/** What one real request has sent to the object and answered: the constants of the steps that compute nothing. */
interface Sample {
  admit: AdmitRequest;
  finish: FinishRequest | null;
  answer: CheckResult | Verification;
}
const samples: Partial<Record<Route, Sample>> = {};

const sampleOf = (route: Route): Sample => {
  const sample = samples[route];
  if (sample === undefined) throw new Error(`/sample/v1/${route} comes first`);
  return sample;
};

const logged = console.info;
const silent = (): void => undefined;

const app = new Hono<HttpEnv>();

/** The bare route once more, in an isolate with the service's code. */
app.route('/bare', bare as unknown as Hono<HttpEnv>);

/** The service as it is; keeps what the request has sent. */
app.post('/sample/v1/:route', async (c) => {
  const route = c.req.param('route') as Route;
  const kept: Partial<Sample> = { finish: null };
  const keeping: OpenDeps = (env, defer) => {
    const deps = openDeps(env, defer);
    const stub = (id: Id<'org'>): ObjectStub => {
      const real = deps.objects.stub(id);
      const admit: ObjectStub['admit'] = (request) => {
        kept.admit = request;
        return real.admit(request);
      };
      const finish: ObjectStub['finish'] = (request) => {
        kept.finish = request;
        return real.finish(request);
      };
      return { admit, finish } as ObjectStub;
    };
    return Object.assign({}, deps, { objects: Object.assign({}, deps.objects, { stub }) });
  };
  const response = await served(c, keeping, undefined, () => answerVerb(route, FIRST_VERBS[route])(c));
  kept.answer = await response.clone().json();
  samples[route] = kept as Sample;
  return response;
});

const organisationOf = (c: Context): Id<'org'> => c.req.header('x-organisation') as Id<'org'>;

/** The sample's request under a new id. */
const admission = (route: Route, id: string): AdmitRequest =>
  Object.assign({}, sampleOf(route).admit, { operationId: id, traceId: id });

/** The sample's trace under a new id, encoded each time as the bare route does. */
function completion(route: Route, id: string): FinishRequest | null {
  const { finish } = sampleOf(route);
  if (finish === null) return null;
  const record = JSON.stringify(Object.assign({}, recordOf(finish), { id }));
  return Object.assign({}, finish, {
    operationId: id,
    requestId: id,
    trace: Object.assign({}, finish.trace, { id, record }),
  });
}

const records = new WeakMap<FinishRequest, object>();
function recordOf(finish: FinishRequest): object {
  const known = records.get(finish) ?? (JSON.parse(finish.trace.record) as object);
  records.set(finish, known);
  return known;
}

const stubOf = <T>(env: object, binding: string, id: Id<'org'>): T =>
  (env as Record<string, DurableObjectNamespace>)[binding]?.getByName(id) as unknown as T;

const idOf = (route: Route): string => newId(route === 'check' ? 'ck' : 'vr', Date.now());

/** The bare route over our object: its statements, and answers of its size. */
app.post('/object/v1/:route', async (c) => {
  const route = c.req.param('route') as Route;
  const { email } = await c.req.json<{ email: string }>();
  const id = idOf(route);
  const object = c.env.ORGANISATION.getByName(organisationOf(c)) as unknown as ObjectStub;
  const { ok } = await object.admit(admission(route, id));
  const finish = completion(route, id);
  if (finish !== null) await object.finish(finish);
  return c.json(Object.assign({}, sampleOf(route).answer, { email, trace_id: id }), ok ? 200 : 403);
});

/** The same by our calls: a time limit, one more try, counters. */
app.post('/calls/v1/:route', async (c) => {
  const route = c.req.param('route') as Route;
  const { email } = await c.req.json<{ email: string }>();
  const id = idOf(route);
  const { objects } = openDeps(c.env, (work) => c.executionCtx.waitUntil(work));
  const object = callObject(objects, organisationOf(c));
  const admitted = await object.admit(admission(route, id));
  const finish = completion(route, id);
  if (finish !== null) await object.finish(finish);
  const answer = Object.assign({}, sampleOf(route).answer, { email, trace_id: id });
  return c.json(answer, admitted.ok && admitted.value.ok ? 200 : 403);
});

function sampledCompletion(id: string): Completion {
  const finish = completion('verify', id);
  if (finish === null) throw new Error('a verification has a trace');
  return { trace: finish.trace, spendMicros: finish.spendMicros, answer: () => '' };
}

/** A verification in one trip, as it would be if the isolate knew what its admission will say. */
export class OneTripObject extends OrganisationObject {
  async verifyInOneTrip(admit: Input<'admit'>, finish: Input<'finish'>): Promise<boolean> {
    const { ok } = await this.admit(admit);
    if (ok) await this.finish(finish);
    return ok;
  }
}

const LANES = 16;

/** Who does the work of one request: our object, a bare one, ours in one trip. */
const WORK: Readonly<Record<string, (env: object, id: Id<'org'>, route: Route, traceId: string) => Promise<boolean>>> =
  {
    async ours(env, id, route, traceId) {
      const object = stubOf<ObjectStub>(env, 'ORGANISATION', id);
      const { ok } = await object.admit(admission(route, traceId));
      const finish = completion(route, traceId);
      if (finish !== null) await object.finish(finish);
      return ok;
    },
    async bare(env, id, route, traceId) {
      const object = stubOf<ObjectStub & BareFinish>(env, 'BARE', id);
      const { ok } = await object.admit(admission(route, traceId));
      const finish = completion(route, traceId);
      if (finish !== null) await (object as BareFinish).finish(traceId, finish.trace.record);
      return ok;
    },
    async 'one-trip'(env, id, route, traceId) {
      const finish = completion(route, traceId);
      if (finish === null) throw new Error('a check is one trip');
      return stubOf<OneTripObject>(env, 'ONE_TRIP', id).verifyInOneTrip(admission(route, traceId), finish);
    },
  };

/** So many calls of one object by this Worker alone, a few at a time: what the object does in a second, and what it takes. */
app.post('/many/:of/:route', async (c) => {
  const route = c.req.param('route') as Route;
  const work = WORK[c.req.param('of')];
  if (work === undefined) return c.notFound();
  let left = Number(c.req.query('calls'));
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      if (!(await work(c.env, organisationOf(c), route, idOf(route)))) throw new Error('refused');
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return c.body(null, 204);
});

interface BareFinish {
  finish(id: string, record: string): Promise<null>;
}

/** Verbs that compute nothing: what they cost is the frame. */
const FRAME: Readonly<Record<Route, AnyVerb>> = {
  check: verb({
    route: FIRST_ROUTES.check,
    probe: () => ({ rules: sampleOf('check').admit.probe }),
    run: async ({ traceId }, { body: { email } }) =>
      Object.assign({}, sampleOf('check').answer as CheckResult, { email, trace_id: traceId }),
  }),
  verify: verb({
    route: FIRST_ROUTES.verify,
    probe: () => ({ rules: sampleOf('verify').admit.probe }),
    run: async (context, { body: { email } }) => {
      await context.commit(sampledCompletion(context.traceId));
      return Object.assign({}, sampleOf('verify').answer as Verification, { email, trace_id: context.traceId });
    },
  }),
};

/** The same, with what a verb asks before it is admitted: the address and its hashes, the domain's mail hosts. */
const FACTS: Readonly<Record<Route, AnyVerb>> = {
  check: verb({
    route: FIRST_ROUTES.check,
    parse: ({ body: { email } }, caller, deps) => ({ email, subject: subjectOf(deps, caller, email) }),
    probe: ({ subject }) => ({ rules: rulesProbe(subject) }),
    begin: ({ subject }, caller, deps) => lookUp(deps, caller, subject, caller.startedAt + 3_500),
    run: async ({ traceId }, { email }) =>
      Object.assign({}, sampleOf('check').answer as CheckResult, { email, trace_id: traceId }),
  }),
  verify: verb({
    route: FIRST_ROUTES.verify,
    parse: ({ body: { email } }, caller, deps) => ({
      email,
      ceilings: ceilingsOf(caller, {}),
      subject: subjectOf(deps, caller, email),
    }),
    probe: ({ subject, ceilings: { deadlineMs } }, caller, deps) => ({
      rules: verificationProbe(deps, caller, subject, { purpose: USUAL_PURPOSE.call }),
      deadlineMs,
    }),
    begin: ({ subject, ceilings }, caller, deps) => gather(deps, caller, subject, ceilings.deadlineMs),
    run: async (context, { email }) => {
      await context.commit(sampledCompletion(context.traceId));
      return Object.assign({}, sampleOf('verify').answer as Verification, { email, trace_id: context.traceId });
    },
  }),
};

/** Serves verbs as the service's own door does. Turns follow each other, so the log of one turn is no other's. */
function mount(path: string, verbs: Readonly<Record<Route, AnyVerb>>, isLogged: boolean): void {
  for (const route of ['check', 'verify'] as const) {
    const answer = answerVerb(route, verbs[route]);
    app.post(`/${path}/v1/${route}`, (c) => {
      console.info = isLogged ? logged : silent;
      return served(c, openDeps, undefined, () => answer(c));
    });
  }
}

mount('frame', FRAME, false);
mount('log', FRAME, true);
mount('facts', FACTS, true);
mount('whole', FIRST_VERBS, true);

export default app;

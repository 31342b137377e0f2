import fc from 'fast-check';
import { expect, vi } from 'vitest';
import { traceJson } from '../../../src/domain/traces/traces.ts';
import { MINUTE_MS } from '../../../src/kernel/clock.ts';
import type { OrganisationObject } from '../../../src/runtime/objects.ts';
import { type FakeNeon, type NeonAnswer, stubNeon } from '../fake-neon.ts';
import { createTestOrganisation, startObject, type TestOrganisation } from '../organisation.ts';
import { traceRecord } from '../records.ts';
import { authorizeRequest, commitRequest, verifyRequest } from '../requests.ts';

/** A statement that Postgres has been sent and has not answered. */
interface Waiting {
  readonly traceIds: readonly string[];
  answer(answer: NeonAnswer): void;
}

/** How a statement ends: `lost` is written, and its answer does not arrive. */
const ENDINGS = ['written', 'lost', 'down', 'refused'] as const;
type Ending = (typeof ENDINGS)[number];

interface Model {
  /** Traces whose callers have their answer. */
  readonly acknowledged: string[];
  readonly inPostgres: Set<string>;
}

interface Real {
  readonly organisation: TestOrganisation;
  readonly neon: FakeNeon;
  object: OrganisationObject;
  waiting: Waiting[];
}

type OutboxCommand = fc.AsyncCommand<Model, Real>;

/** Waits until all pending work has settled. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

abstract class Step implements OutboxCommand {
  readonly check: (model: Readonly<Model>) => boolean = () => true;
  async run(model: Model, real: Real): Promise<void> {
    await this.act(model, real);
    await settled();
    const kept = JSON.stringify(real.organisation.dump());
    for (const id of model.acknowledged)
      expect(model.inPostgres.has(id) || kept.includes(`"${id}"`) || kept.includes(id), id).toBe(true);
  }
  protected abstract act(model: Model, real: Real): Promise<void> | void;
  abstract toString(): string;
}

/** Answers a request; its trace is stored with the charge or afterwards. */
class Answer extends Step {
  private readonly isAtOnce: boolean;
  constructor(isAtOnce: boolean) {
    super();
    this.isAtOnce = isAtOnce;
  }
  protected async act({ acknowledged }: Model, { object, organisation }: Real): Promise<void> {
    const id = `vr_${String(acknowledged.length).padStart(4, '0')}`;
    const record = traceJson(traceRecord({ id: id as 'vr_0', organisationId: organisation.settings.id }));
    const { hash: keyHash } = organisation.keys.member;
    const authorize = authorizeRequest({ operationId: id, traceId: id, keyHash });
    const answer = this.isAtOnce ? await object.verify(verifyRequest(authorize)) : await object.authorize(authorize);
    if (!answer.ok) throw new Error(answer.refusal);
    if (!this.isAtOnce) await object.commit(commitRequest(id, { trace: { kind: 'trace', id, record } }));
    acknowledged.push(id);
  }
  toString(): string {
    return this.isAtOnce ? 'a trace at once' : 'a trace';
  }
}

class Alarm extends Step {
  protected act(_: Model, { object }: Real): void {
    vi.setSystemTime(Date.now() + 6 * MINUTE_MS);
    void object.tick();
  }
  toString(): string {
    return 'alarm';
  }
}

class Flush extends Step {
  protected act(_: Model, { object }: Real): void {
    void object.flush(null);
  }
  toString(): string {
    return 'flush';
  }
}

class PostgresAnswers extends Step {
  private readonly which: number;
  private readonly ending: Ending;
  constructor(which: number, ending: Ending) {
    super();
    this.which = which;
    this.ending = ending;
  }
  protected act(model: Model, { waiting }: Real): void {
    const [statement] = waiting.splice(this.which % Math.max(1, waiting.length), 1);
    if (statement !== undefined) end(model, statement, this.ending);
  }
  toString(): string {
    return `Postgres: ${this.ending} ${this.which}`;
  }
}

function end({ inPostgres }: Model, { traceIds, answer }: Waiting, ending: Ending): void {
  if (ending === 'written' || ending === 'lost') for (const id of traceIds) inPostgres.add(id);
  answer(ending === 'lost' ? 'down' : ending === 'refused' ? { sqlState: '22P05' } : ending);
}

/** The object ends between two statements; those under way may or may not have been written. */
class Crash extends Step {
  private readonly isFlushed: boolean;
  constructor(isFlushed: boolean) {
    super();
    this.isFlushed = isFlushed;
  }
  protected act({ inPostgres }: Model, real: Real): void {
    // Unanswered work of the ended object never continues.
    for (const { traceIds } of real.waiting) if (this.isFlushed) for (const id of traceIds) inPostgres.add(id);
    real.waiting = [];
    real.object = startObject(real.organisation.storage);
  }
  toString(): string {
    return `crash, ${this.isFlushed ? '' : 'not '}written`;
  }
}

const COMMANDS: fc.Arbitrary<OutboxCommand>[] = [
  fc.constant(new Answer(true)),
  fc.constant(new Answer(false)),
  fc.constant(new Alarm()),
  fc.constant(new Flush()),
  fc.tuple(fc.nat({ max: 5 }), fc.constantFrom(...ENDINGS)).map(([at, ending]) => new PostgresAnswers(at, ending)),
  fc.boolean().map((isFlushed) => new Crash(isFlushed)),
];

/** Postgres answers everything again: all accepted traces are there, and the object's outbox is empty. */
async function drain(model: Model, real: Real): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) {
    for (const statement of real.waiting.splice(0)) end(model, statement, 'written');
    await new Alarm().run(model, real);
    if (real.waiting.length === 0 && (await real.object.status())?.outboxRows === 0) break;
  }
  const setAside = JSON.stringify(real.organisation.storage.sql.exec('select id from outbox where dead = 1').toArray());
  const missing = model.acknowledged.filter((id) => !model.inPostgres.has(id) && !setAside.includes(id));
  expect(missing).toEqual([]);
}

/**
 * Traces on their way to Postgres, which writes, refuses, is away, or writes and is not heard, in any order, while the object ends
 * and starts again. At every step a trace whose caller has the answer is in the object or in Postgres, and in the end all are there.
 */
export const outbox = fc.asyncProperty(fc.commands(COMMANDS, { maxCommands: 40, size: 'max' }), async (commands) => {
  const neon = stubNeon();
  const organisation = await createTestOrganisation();
  await organisation.object.tick();
  const model: Model = { acknowledged: [], inPostgres: new Set() };
  const real: Real = { organisation, neon, object: organisation.object, waiting: [] };
  neon.answer = ({ table, traceIds }) =>
    table === 'trace' ? new Promise((resolve) => real.waiting.push({ traceIds, answer: resolve })) : 'written';
  await fc.asyncModelRun(() => ({ model, real }), commands);
  await drain(model, real);
});

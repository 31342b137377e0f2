import fc from 'fast-check';
import { expect, vi } from 'vitest';
import { LEASE_MS, CHUNKS_MAX } from '../../../src/domain/bulk/chunks.ts';
import { SECOND_MS } from '../../../src/kernel/clock.ts';
import { createBulk } from '../bulk-object.ts';

type Bulk = Awaited<ReturnType<typeof createBulk>>;

/** Three chunks, the last a short one. */
const ADDRESSES = 250;

/** A lease as a worker has it. */
interface Held {
  readonly lease: string;
  readonly chunk: number;
  readonly from: number;
  readonly to: number;
  until: number;
  state: 'held' | 'finished' | 'ended';
}

/** The expected state of a job, derived from calls and answers alone. */
interface Model {
  readonly quota: number;
  readonly leases: Held[];
  errors: number;
  isCancelled: boolean;
}

interface Real {
  readonly bulk: Bulk;
  readonly id: Parameters<Bulk['claim']>[0];
}

type LeaseCommand = fc.AsyncCommand<Model, Real>;

const overlap = (a: Pick<Held, 'from' | 'to'>, b: Pick<Held, 'from' | 'to'>): boolean => a.from < b.to && b.from < a.to;
const isLive = ({ state, until }: Held): boolean => state === 'held' && until > Date.now();

/** The job's books agree with each other and with what was answered. */
async function checkBooks({ quota, leases, errors, isCancelled }: Model, { bulk, id }: Real): Promise<void> {
  const { calls } = await bulk.organisation.usage();
  const job = (await bulk.find(id))?.job;
  const results = await bulk.results(id);
  const verified = job?.counts.valid ?? 0;
  expect(calls.bulk).toBe(job?.charged);
  expect(calls.bulk).toBeLessThanOrEqual(quota);
  expect(verified).toBeLessThanOrEqual(calls.bulk);
  for (const [at, part] of results.entries())
    for (const other of results.slice(at + 1)) expect(overlap(part, other)).toBe(false);
  if (isCancelled) return;
  const finished = leases.filter(({ state }) => state === 'finished');
  expect(new Set(results.map(({ lease }) => lease))).toEqual(new Set(finished.map(({ lease }) => lease)));
  expect(verified + errors).toBe(finished.reduce((sum, { from, to }) => sum + to - from, 0));
}

abstract class Step implements LeaseCommand {
  readonly check: (model: Readonly<Model>) => boolean = () => true;
  async run(model: Model, real: Real): Promise<void> {
    await this.act(model, real);
    await checkBooks(model, real);
  }
  protected abstract act(model: Model, real: Real): Promise<void>;
  abstract toString(): string;
}

class Claim extends Step {
  protected async act({ leases }: Model, { bulk, id }: Real): Promise<void> {
    const lease = `lease-${leases.length}`;
    const given = await bulk.claim(id, lease);
    if (given === null) return;
    const { chunk, from, to, until } = given.claim;
    const live = leases.filter(isLive);
    for (const other of live) expect(overlap({ from, to }, other)).toBe(false);
    for (const other of leases) if (other.state === 'finished') expect(overlap({ from, to }, other)).toBe(false);
    expect(live.length).toBeLessThan(CHUNKS_MAX);
    expect(until).toBe(Date.now() + LEASE_MS);
    leases.push({ lease, chunk, from, to, until, state: 'held' });
  }
  toString(): string {
    return 'claim';
  }
}

/** A step with one of the earlier leases. */
abstract class LeaseStep extends Step {
  protected readonly which: number;
  constructor(which: number) {
    super();
    this.which = which;
  }
  override readonly check = ({ leases }: Readonly<Model>): boolean => leases.length > 0;
  protected leaseOf({ leases }: Model): Held {
    const held = leases[this.which % leases.length];
    if (held === undefined) throw new Error('no lease');
    return held;
  }
}

class ClaimAgain extends LeaseStep {
  protected async act(model: Model, { bulk, id }: Real): Promise<void> {
    const held = this.leaseOf(model);
    if (model.isCancelled || !isLive(held)) return;
    const again = await bulk.claim(id, held.lease);
    expect(again?.claim).toMatchObject({ chunk: held.chunk, from: held.from, to: held.to });
  }
  toString(): string {
    return `claim again ${this.which}`;
  }
}

class Finish extends LeaseStep {
  private readonly errors: number;
  constructor(which: number, errors: number) {
    super(which);
    this.errors = errors;
  }
  protected async act(model: Model, { bulk, id }: Real): Promise<void> {
    const held = this.leaseOf(model);
    const errors = Math.min(this.errors, held.to - held.from);
    const wasLive = isLive(held);
    const answer = await bulk.finish(id, held.chunk, held.lease, held.to - held.from - errors, errors);
    if (model.isCancelled) return;
    if (wasLive) {
      held.state = 'finished';
      model.errors += errors;
    }
    expect(answer === 'lost').toBe(held.state !== 'finished');
  }
  toString(): string {
    return `finish ${this.which}, ${this.errors} errors`;
  }
}

class Renew extends LeaseStep {
  protected async act(model: Model, { bulk, id }: Real): Promise<void> {
    const held = this.leaseOf(model);
    const { object } = bulk.organisation;
    const isRenewed = await object.renewChunk({ id, chunk: held.chunk, lease: held.lease });
    if (!model.isCancelled) expect(isRenewed).toBe(isLive(held));
    if (isRenewed) held.until = Date.now() + LEASE_MS;
  }
  toString(): string {
    return `renew ${this.which}`;
  }
}

const NOTHING_SPENT = { spendMicros: 0, providers: [], providerMicros: 0 };

class Fail extends LeaseStep {
  protected async act(model: Model, { bulk, id }: Real): Promise<void> {
    const held = this.leaseOf(model);
    const { object } = bulk.organisation;
    const retryAt = Date.now() + 5 * SECOND_MS;
    const isFailed = await object.failChunk({ id, chunk: held.chunk, lease: held.lease, retryAt, ...NOTHING_SPENT });
    if (!model.isCancelled) expect(isFailed).toBe(isLive(held));
    if (isFailed) held.state = 'ended';
  }
  toString(): string {
    return `fail ${this.which}`;
  }
}

class Pass extends Step {
  private readonly ms: number;
  constructor(ms: number) {
    super();
    this.ms = ms;
  }
  protected async act({ leases }: Model): Promise<void> {
    vi.setSystemTime(Date.now() + this.ms);
    for (const held of leases) if (held.state === 'held' && held.until <= Date.now()) held.state = 'ended';
  }
  toString(): string {
    return `${this.ms / SECOND_MS} s pass`;
  }
}

class Tick extends Step {
  protected async act(_: Model, { bulk }: Real): Promise<void> {
    await bulk.organisation.object.tick();
  }
  toString(): string {
    return 'alarm';
  }
}

class Crash extends Step {
  protected async act(_: Model, { bulk }: Real): Promise<void> {
    bulk.organisation.evict();
  }
  toString(): string {
    return 'crash';
  }
}

class Cancel extends Step {
  protected async act(model: Model, { bulk, id }: Real): Promise<void> {
    if ((await bulk.move(id, { kind: 'cancel' })).ok) model.isCancelled = true;
  }
  toString(): string {
    return 'cancel';
  }
}

const which = fc.nat({ max: 9 });
const COMMANDS: fc.Arbitrary<LeaseCommand>[] = [
  fc.constant(new Claim()),
  fc.constant(new Claim()),
  which.map((at) => new ClaimAgain(at)),
  fc.tuple(which, fc.nat({ max: 2 })).map(([at, errors]) => new Finish(at, errors)),
  which.map((at) => new Renew(at)),
  which.map((at) => new Fail(at)),
  fc.constantFrom(6, 31, 61).map((seconds) => new Pass(seconds * SECOND_MS)),
  fc.constant(new Tick()),
  fc.constant(new Crash()),
];

/** Workers without faults finish the job, or it waits for quota. */
async function finishAll(model: Model, real: Real): Promise<void> {
  await new Pass(LEASE_MS + SECOND_MS).run(model, real);
  for (let idle = 0; idle < 2;) {
    const before = model.leases.length;
    await new Claim().run(model, real);
    if (model.leases.length === before) {
      idle += 1;
      await new Pass(LEASE_MS + SECOND_MS).run(model, real);
    } else await new Finish(before, 0).run(model, real);
  }
  const job = (await real.bulk.find(real.id))?.job;
  expect(job?.state).toBe(model.isCancelled ? 'cancelled' : model.quota < ADDRESSES ? 'paused_quota' : 'done');
  if (model.isCancelled) return;
  expect(job?.charged).toBe(job?.counts.valid);
  if (job?.state === 'done') expect(job.rowsDone).toBe(job.file?.rows);
}

/**
 * A job's chunks under workers that claim, repeat, renew, fail, finish late and twice, while time passes and the object ends and
 * starts again. No address is held by two workers or counted twice, all books agree after every step, and the job ends.
 */
export const leases = fc.asyncProperty(
  fc.constantFrom(170, 1_000),
  fc.commands([...COMMANDS, fc.constant(new Cancel())], { maxCommands: 40, size: 'max' }),
  async (quota, commands) => {
    const bulk = await createBulk(quota);
    const id = await bulk.ready(ADDRESSES);
    await bulk.move(id, { kind: 'start', allowPartial: true, notify: false });
    const model: Model = { quota, leases: [], errors: 0, isCancelled: false };
    const real: Real = { bulk, id };
    await fc.asyncModelRun(() => ({ model, real }), commands);
    await finishAll(model, real);
  },
);

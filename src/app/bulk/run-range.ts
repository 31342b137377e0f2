import type { Verdict } from '../../contract/vocabulary.ts';
import { RANGE_ADDRESSES } from '../../domain/bulk/csv/address-file.ts';
import { addressesKey, checkpointKey, jobPrefix, resultsKey } from '../../domain/bulk/files.ts';
import type { BulkAnswer, BulkCall, BulkPort, JobRecord } from '../../domain/bulk/port.ts';
import { type Claim, LEASE_MS } from '../../domain/bulk/ranges.ts';
import { rowResultOf } from '../../domain/bulk/results/from-verification.ts';
import { encodeRange, type RowResult } from '../../domain/bulk/results/row-result.ts';
import type { FindMailHosts, MailHosts } from '../../domain/dns/mail-hosts.ts';
import type { ObjectDeps } from '../../domain/organisation/client.ts';
import { PORT_VERSION, type RuleProbe } from '../../domain/organisation/index.ts';
import { NO_RULES, type RuleMatch } from '../../domain/rule-lists/index.ts';
import type { TraceRecord } from '../../domain/traces/index.ts';
import { type ExaminedOperation, examine, type VerifyDeps } from '../../domain/verification/examine.ts';
import { subjectOf } from '../../domain/verification/local-facts.ts';
import { traceRecord } from '../../domain/verification/trace-record.ts';
import { MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts';
import { DomainError } from '../../kernel/errors.ts';
import { type Id, newId, newIdAt } from '../../kernel/ids.ts';
import { sha256Bytes } from '../../kernel/keyed-hash.ts';
import { type Blobs, readBytes } from '../../platform/blob.ts';
import { describeError, log } from '../../platform/log.ts';
import { askObject } from '../ask-object.ts';
import { readRange } from './addresses.ts';

export interface RunDeps {
  readonly verify: VerifyDeps;
  readonly objects: ObjectDeps<BulkPort>;
  readonly blobs: Blobs;
}

/** Addresses of a range in work at once: as many connections an invocation may have waiting. */
const AT_ONCE = 6;
/** A range hands over up to a hundred traces: longer than a signup waits. */
const OBJECT_TIMEOUT_MS = 10_000;
const RENEW_AFTER_MS = LEASE_MS / 3;
/** Paid answers are kept after this many, or this long. */
const CHECKPOINT_ANSWERS = 10;
const CHECKPOINT_MS = 2 * SECOND_MS;
const retryDelayMs = (failures: number): number => Math.min(5 * MINUTE_MS, 30 * SECOND_MS * 2 ** failures);

/** What came of an address: `error` where a refusal would come each time. */
interface Row {
  readonly result: RowResult;
  readonly trace: { readonly id: string; readonly record: string } | null;
  readonly spendMicros: number;
}

const REFUSED: Row = { result: { status: 'error' }, trace: null, spendMicros: 0 };

/** Claims a job's next range and does it. False: there was nothing to do. Throws when the object can't be reached. */
export async function runRange(deps: RunDeps, organisationId: Id<'org'>, jobId: Id<'bj'>): Promise<boolean> {
  const ask = <T>(name: string, call: (stub: BulkPort) => Promise<T>): Promise<T> =>
    askObject(deps.objects, organisationId, name, call, OBJECT_TIMEOUT_MS);
  const lease = newId('rq', deps.verify.now());
  const given = await ask('claimRange', (stub) => stub.bulk({ v: PORT_VERSION, do: 'claim', id: jobId, lease }));
  if (given === null) return false;
  const { claim, record, calibration } = given;
  const held = { v: PORT_VERSION, id: jobId, range: claim.range, lease } as const;
  const prefix = jobPrefix(organisationId, jobId);
  const work = new RangeWork(deps, organisationId, { claim, record, calibration }, prefix, () =>
    ask('renewRange', (stub) => stub.bulk({ ...held, do: 'renew' })),
  );

  const addresses = await work.addresses();
  const probes = addresses.map((email) => probeOf(deps.verify, organisationId, email));
  const rules = await ask('matchRules', (stub) => stub.bulk({ v: PORT_VERSION, do: 'match_rules', probes }));
  await work.restore();
  // A circuit lets one call through to see whether a vendor is back, and turns those beside it away: they come next.
  for (let before = addresses.length + 1; work.left > 0 && work.left < before; ) {
    before = work.left;
    if (!(await work.run(addresses, rules))) return true;
  }

  if (work.left > 0 && !claim.isLastTry) {
    await work.checkpoint();
    const retryAt = deps.verify.now() + retryDelayMs(claim.failures);
    await ask('failRange', (stub) => stub.bulk({ ...held, do: 'fail', retryAt }));
    return true;
  }
  await deps.blobs.put(resultsKey(prefix, claim.from, lease), encodeRange(work.results()));
  const outcome = work.outcome();
  const isTaken = await ask('finishRange', (stub) => stub.bulk({ ...held, do: 'finish', ...outcome }));
  // Deleted meanwhile, or somebody else's by now: nothing of it stays.
  if (!isTaken) await deps.blobs.delete(resultsKey(prefix, claim.from, lease));
  if (claim.isRetry || work.checkpoints > 0) await deps.blobs.delete(checkpointKey(prefix, claim.from));
  return true;
}

/** Broken syntax has no hash, and its domain none that a rule could name. */
function probeOf(deps: VerifyDeps, organisationId: Id<'org'>, email: string): RuleProbe {
  const subject = subjectOf(deps, { organisationId }, email);
  return subject.ok
    ? { addressHash: subject.addressHash, domain: subject.address.domain }
    : { addressHash: null, domain: '' };
}

/** One range in the hands of one holder. */
class RangeWork {
  /** Results written while in work; a redelivered range takes them up. */
  checkpoints = 0;
  private readonly rows: (Row | null)[];
  private readonly deps: RunDeps;
  private readonly organisationId: Id<'org'>;
  private readonly record: JobRecord;
  private readonly claim: Claim;
  private readonly calibration: string | null;
  private readonly prefix: string;
  private readonly renew: () => Promise<boolean>;
  private readonly mailHosts = new Map<string, Promise<MailHosts>>();
  private readonly deferred: Promise<unknown>[] = [];
  private unsaved = 0;
  private savedAt: number;
  private saving: Promise<unknown> | null = null;

  constructor(
    deps: RunDeps,
    organisationId: Id<'org'>,
    given: NonNullable<BulkAnswer<Extract<BulkCall, { do: 'claim' }>>>,
    prefix: string,
    renew: () => Promise<boolean>,
  ) {
    this.deps = deps;
    this.organisationId = organisationId;
    this.record = given.record;
    this.claim = given.claim;
    this.calibration = given.calibration;
    this.prefix = prefix;
    this.renew = renew;
    this.rows = Array<Row | null>(this.claim.to - this.claim.from).fill(null);
    this.savedAt = deps.verify.now();
  }

  async addresses(): Promise<string[]> {
    const { upload } = this.record;
    if (upload === null) throw new Error('a job without a file is in work');
    const { range, from, to } = this.claim;
    const all = await readRange(this.deps.blobs, addressesKey(this.prefix, upload.reading), range);
    return all.slice(from - range * RANGE_ADDRESSES, to - range * RANGE_ADDRESSES);
  }

  /** Addresses without a result. */
  get left(): number {
    return this.rows.filter((row) => row === null).length;
  }

  /** What an earlier holder has paid for. A checkpoint is a cache: absent or cut off, it is paid again. */
  async restore(): Promise<void> {
    if (!this.claim.isRetry) return;
    try {
      const bytes = await readBytes(this.deps.blobs, checkpointKey(this.prefix, this.claim.from));
      const kept = JSON.parse(new TextDecoder().decode(bytes)) as (Row | null)[];
      for (const [place, row] of kept.entries()) if (place < this.rows.length) this.rows[place] = row;
    } catch {
      // Nothing was left.
    }
  }

  async checkpoint(): Promise<void> {
    await this.saving;
    if (this.unsaved > 0) await this.save();
  }

  /** Checks what has no result yet; false when the lease was lost on the way. */
  async run(addresses: readonly string[], rules: readonly RuleMatch[]): Promise<boolean> {
    const { now } = this.deps.verify;
    let next = 0;
    let isHeld = true;
    let renewedAt = now();
    const goOn = async (): Promise<void> => {
      for (let place = next; isHeld && place < addresses.length; place = next) {
        next += 1;
        if (this.rows[place] !== null) continue;
        this.rows[place] = await this.check(addresses[place] ?? '', place, rules[place] ?? null);
        this.keepPaid(this.rows[place] ?? null);
        if (now() - renewedAt < RENEW_AFTER_MS) continue;
        renewedAt = now();
        isHeld = await this.renew();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, goOn));
    await Promise.allSettled([...this.deferred, this.saving]);
    return isHeld;
  }

  results(): (RowResult | null)[] {
    return this.rows.map((row) => row?.result ?? { status: 'error' });
  }

  /** As `finish` takes it. */
  outcome() {
    const tried = this.rows.filter((row) => row !== null);
    const counts: Partial<Record<Verdict, number>> = {};
    let errors = this.left;
    for (const { result } of tried) {
      if (result.status === 'ok') counts[result.verdict] = (counts[result.verdict] ?? 0) + 1;
      else errors += 1;
    }
    return {
      outcome: { counts, errors },
      spendMicros: tried.reduce((sum, { spendMicros }) => sum + spendMicros, 0),
      traces: tried.flatMap(({ trace }) => (trace === null ? [] : [[trace.id, trace.record] as const])),
    };
  }

  /** Null: it could not be checked now. */
  private async check(email: string, place: number, rules: RuleMatch | null): Promise<Row | null> {
    const { job } = this.record;
    const operation = this.operation(place, rules);
    const deps = { ...this.deps.verify, findMailHosts: this.findMailHosts };
    try {
      const context = { purpose: job.purpose };
      const examination = await examine(deps, operation, { email, context });
      if (examination.kind === 'repeated') throw new Error('an address of a job has no earlier answer');
      const { answer, findings } = examination;
      // A vendor's limit or open circuit left nothing but the prior: others may do better later.
      if (answer.degraded === true && operation.mode === 'live') return null;
      const record: TraceRecord = {
        ...traceRecord(operation, findings, answer, context),
        ...{ kind: 'bulk', bulkJobId: job.id },
      };
      return {
        result: rowResultOf(answer, null),
        trace: { id: answer.trace_id, record: JSON.stringify(record) },
        spendMicros: findings.consultation.spendMicros,
      };
    } catch (error) {
      if (error instanceof DomainError) return REFUSED;
      log('error', 'bulk_row_failed', { job: this.record.job.id, ...describeError(error) });
      return null;
    }
  }

  /** An address of the job: admitted with its range, settled with it. */
  private operation(place: number, rules: RuleMatch | null): ExaminedOperation {
    const { organisationId, record, claim, calibration } = this;
    const { owner, job, organisation } = record;
    const seed = sha256Bytes(`${job.id} ${claim.from + place}`);
    return {
      organisationId,
      mode: owner.mode,
      meter: 'bulk',
      startedAt: this.deps.verify.now(),
      // The same each time the address is tried, so that it is one trace however often its range is delivered.
      traceId: newIdAt('vr', claim.begunAt, place, (bytes) => bytes.set(seed.subarray(0, bytes.length))),
      admit: async () => ({
        ...{ reached: true, key: owner, organisation, rules: rules ?? NO_RULES, earlier: null, policy: null },
        calibration,
      }),
      defer: (work) => void this.deferred.push(work),
    };
  }

  /** Addresses of one domain stand together: each domain is asked about once. */
  private readonly findMailHosts: FindMailHosts = (domain, deadlineMs) => {
    const known = this.mailHosts.get(domain);
    if (known !== undefined) return known;
    const asked = this.deps.verify.findMailHosts(domain, deadlineMs).then((found) => {
      // The next one has time of its own to wait in.
      if (found.kind === 'unresolved') this.mailHosts.delete(domain);
      return found;
    });
    this.mailHosts.set(domain, asked);
    return asked;
  };

  private keepPaid(row: Row | null): void {
    if (row === null || row.spendMicros === 0) return;
    this.unsaved += 1;
    const isDue = this.unsaved >= CHECKPOINT_ANSWERS || this.deps.verify.now() - this.savedAt >= CHECKPOINT_MS;
    if (!isDue || this.saving !== null) return;
    this.saving = this.save().finally(() => {
      this.saving = null;
    });
  }

  private async save(): Promise<void> {
    this.unsaved = 0;
    this.savedAt = this.deps.verify.now();
    this.checkpoints += 1;
    try {
      await this.deps.blobs.put(checkpointKey(this.prefix, this.claim.from), JSON.stringify(this.rows));
    } catch (error) {
      log('warn', 'checkpoint_failed', describeError(error));
    }
  }
}

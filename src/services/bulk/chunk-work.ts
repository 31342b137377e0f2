import type { Unasked, Verdict } from '../../contract/vocabulary.ts';
import { breakdownOf, type Checked } from '../../domain/bulk/breakdown.ts';
import { LEASE_MS } from '../../domain/bulk/chunks.ts';
import { CHUNK_ADDRESSES } from '../../domain/bulk/csv/address-file.ts';
import { addressesKey, checkpointKey, jobPrefix } from '../../domain/bulk/job-record.ts';
import type { Asking } from '../../domain/bulk/job.ts';
import { ERROR_ROW, type RowResult } from '../../domain/bulk/results/row-result.ts';
import type { MailHosts, FindMailHosts } from '../../domain/dns/resolve.ts';
import { pause, SECOND_MS } from '../../kernel/clock.ts';
import { describeError, log } from '../../kernel/log.ts';
import type { LookupMatch, RuleLookup } from '../../organisation/api.ts';
import { readBytes } from '../../storage/r2.ts';
import type { DecideDeps } from '../policy/apply-policy.ts';
import { subjectOf, rowLookup } from '../verification/observe.ts';
import type { HeldChunk } from './claim-chunk.ts';
import { readChunk } from './stored-files.ts';
import { verifyRow, type InTurn, type ProviderSpend, type Row, type RunDeps } from './verify-row.ts';

/** A list has some domains with broken name servers. If more of a chunk fails, the resolver is at fault. */
const BROKEN_SHARE_MAX = 0.25;
const BROKEN_MAX = 2;

/** Judges by a chunk's domains whether the resolver works. */
class ResolverWatch {
  private readonly asked = new Set<string>();
  private readonly failed = new Set<string>();

  note(domain: string, { kind }: Pick<MailHosts, 'kind'>): void {
    this.asked.add(domain);
    if (kind === 'unresolved') this.failed.add(domain);
    else this.failed.delete(domain);
  }

  /** A look-up has failed without a later success. */
  get hasFailed(): boolean {
    return this.failed.size > 0;
  }

  /** Too many domains have failed for the fault to be theirs. */
  get isAway(): boolean {
    return this.failed.size > Math.max(BROKEN_MAX, this.asked.size * BROKEN_SHARE_MAX);
  }
}

/** Concurrent addresses of a chunk: an invocation's limit of waiting connections. */
const AT_ONCE = 6;
const RENEW_AFTER_MS = LEASE_MS / 3;
/** Rows without I/O block an isolate's one thread: after so many, waiting requests run first. */
const STAND_BACK_ROWS = 8;
/** Paid answers are saved after this many, or this long. */
const CHECKPOINT_ANSWERS = 10;
const CHECKPOINT_MS = 2 * SECOND_MS;

/** A chunk's addresses and their rows in the hands of one holder. Paid rows are saved on the way. */
export class ChunkWork {
  /** How often rows were saved. A redelivered chunk starts with them. */
  checkpoints = 0;
  private readonly rows: (Row | null)[];
  private readonly deps: RunDeps;
  private readonly chunk: HeldChunk;
  private readonly prefix: string;
  private readonly renew: () => Promise<boolean>;
  private readonly mailHosts = new Map<string, Promise<MailHosts>>();
  private readonly resolver = new ResolverWatch();
  /** Whether rows with failed look-ups get a result: on the last try, and once the others have theirs. */
  private takesUnresolved: boolean;
  private readonly deferred: Promise<unknown>[] = [];
  /** Possible bills of tries without a row. */
  private readonly unanswered: ProviderSpend[] = [];
  private unsaved = 0;
  private savedAt: number;
  private saving: Promise<unknown> | null = null;

  /** `renew` prolongs the lease. False: the lease is lost. */
  constructor(deps: RunDeps, chunk: HeldChunk, renew: () => Promise<boolean>) {
    const { checks } = deps;
    this.deps = {
      ...deps,
      checks: {
        ...checks,
        findMailHosts: this.findMailHosts(checks.findMailHosts),
        hashAddress: hashedOnce(checks),
      },
    };
    this.chunk = chunk;
    this.prefix = jobPrefix(chunk.organisationId, chunk.record.job.id);
    this.renew = renew;
    this.takesUnresolved = chunk.claim.isLastTry;
    this.rows = Array<Row | null>(chunk.claim.to - chunk.claim.from).fill(null);
    this.savedAt = checks.now();
  }

  async addresses(): Promise<string[]> {
    const { upload, job } = this.chunk.record;
    if (upload === null || job.file === null) throw new Error('a job without a file is in work');
    const { chunk, from, to } = this.chunk.claim;
    const { blobs, addressTables } = this.deps;
    const key = addressesKey(this.prefix, upload.reading);
    const all = await readChunk(blobs, addressTables, key, job.file.unique, chunk);
    return all.slice(from - chunk * CHUNK_ADDRESSES, to - chunk * CHUNK_ADDRESSES);
  }

  /** Looks up each address's rules and history. Invalid syntax matches none. */
  lookups(addresses: readonly string[]): RuleLookup[] {
    return addresses.map((email) => {
      const subject = subjectOf(this.deps.checks, this.chunk, email);
      const caller = { organisationId: this.chunk.organisationId, mode: this.chunk.record.owner.mode };
      return (
        rowLookup(this.deps.checks, caller, subject, this.chunk.record.job.id) ?? { addressHash: null, domain: '' }
      );
    });
  }

  get left(): number {
    return this.rows.filter((row) => row === null).length;
  }

  /** Takes over rows that an earlier holder paid for. If the checkpoint is lost, they are paid for again. */
  async restore(): Promise<void> {
    if (!this.chunk.claim.isRetry) return;
    try {
      const bytes = await readBytes(this.deps.blobs, this.checkpointKey());
      const kept = JSON.parse(new TextDecoder().decode(bytes)) as (Row | null)[];
      for (const [place, row] of kept.entries()) if (place < this.rows.length) this.rows[place] = row;
    } catch {
      // The checkpoint is missing or truncated.
    }
  }

  async checkpoint(): Promise<void> {
    await this.saving;
    if (this.unsaved > 0) await this.save();
  }

  /**
   * Checks the addresses without a result. Those of the few domains with failed look-ups come last; while the resolver
   * fails for many they are left. False: the lease is lost.
   */
  async run(addresses: readonly string[], rules: readonly LookupMatch[]): Promise<boolean> {
    let isHeld = await this.rounds(addresses, rules);
    if (isHeld && !this.takesUnresolved && this.resolver.hasFailed && !this.resolver.isAway) {
      this.takesUnresolved = true;
      isHeld = await this.rounds(addresses, rules);
    }
    return isHeld;
  }

  /** Repeats rounds while they bring results. */
  private async rounds(addresses: readonly string[], rules: readonly LookupMatch[]): Promise<boolean> {
    let isHeld = true;
    // A vendor's open circuit lets one trial call through and turns others away: the next round asks for them.
    for (let before = addresses.length + 1; isHeld && this.left > 0 && this.left < before;) {
      before = this.left;
      isHeld = await this.round(addresses, rules);
    }
    return isHeld;
  }

  results(): (RowResult | null)[] {
    return this.rows.map((row) => row?.result ?? ERROR_ROW);
  }

  finished() {
    const tried = this.rows.filter((row) => row !== null);
    const counts: Partial<Record<Verdict, number>> = {};
    let errors = this.left;
    let unresolved = 0;
    for (const { kind } of tried.map(({ result }) => result)) {
      if (kind.status === 'ok') counts[kind.verdict] = (counts[kind.verdict] ?? 0) + 1;
      else errors += 1;
      if (kind.status === 'ok' && kind.reason === 'mx_unresolved') unresolved += 1;
    }
    return {
      outcome: { counts, errors, unresolved, asking: askingOf(tried), breakdown: breakdownOf(tried.map(checkedOf)) },
      ...providersOf([...tried.map(({ providers }) => providers), ...this.unanswered]),
      spendMicros: tried.reduce((sum, { spendMicros }) => sum + spendMicros, sumOf(this.unanswered)),
      enrichment: tried.flatMap(({ enrichment }) => enrichment ?? []),
      observations: tried.flatMap(({ observation }) => observation ?? []),
      traces: tried.flatMap(({ trace }) => (trace === null ? [] : [[trace.id, trace.record] as const])),
    };
  }

  failed() {
    return { spendMicros: sumOf(this.unanswered), ...providersOf(this.unanswered) };
  }

  private async round(addresses: readonly string[], rules: readonly LookupMatch[]): Promise<boolean> {
    const { now } = this.deps.checks;
    const defer = (work: Promise<unknown>): void => void this.deferred.push(work);
    let next = 0;
    let isHeld = true;
    let renewedAt = now();
    const inTurn = turns();
    const onUnanswered = (spend: ProviderSpend): void => void this.unanswered.push(spend);
    const goOn = async (): Promise<void> => {
      for (let place = next; isHeld && place < addresses.length; place = next) {
        next += 1;
        if (this.rows[place] !== null) continue;
        const beside = { defer, inTurn, onUnanswered, leavesUnresolved: () => !this.takesUnresolved };
        const row = await verifyRow(this.deps, this.chunk, addresses[place] ?? '', place, rules[place] ?? null, beside);
        this.rows[place] = row;
        this.keepPaid(row);
        if (next % STAND_BACK_ROWS === 0) await pause(0);
        if (now() - renewedAt < RENEW_AFTER_MS) continue;
        renewedAt = now();
        // While the object is unreachable the lease may still hold: `finishChunk` decides.
        isHeld = await this.renew().catch(() => true);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, goOn));
    await Promise.allSettled([...this.deferred.splice(0), this.saving]);
    return isHeld;
  }

  private checkpointKey(): string {
    return checkpointKey(this.prefix, this.chunk.claim.from);
  }

  /** A chunk groups addresses by domain: each domain is looked up once. */
  private findMailHosts(find: FindMailHosts): FindMailHosts {
    return (domain, deadlineMs) => {
      const known = this.mailHosts.get(domain);
      if (known !== undefined) return known;
      const asked = find(domain, deadlineMs).then((found) => {
        this.resolver.note(domain, found);
        // The next address has its own time.
        if (found.kind === 'unresolved') this.mailHosts.delete(domain);
        return found;
      });
      this.mailHosts.set(domain, asked);
      return asked;
    };
  }

  private keepPaid(row: Row | null): void {
    if (row === null || row.spendMicros + (row.enrichment?.spentMicros ?? 0) === 0) return;
    this.unsaved += 1;
    const isDue = this.unsaved >= CHECKPOINT_ANSWERS || this.deps.checks.now() - this.savedAt >= CHECKPOINT_MS;
    if (!isDue || this.saving !== null) return;
    this.saving = this.save().finally(() => {
      this.saving = null;
    });
  }

  private async save(): Promise<void> {
    this.unsaved = 0;
    this.savedAt = this.deps.checks.now();
    this.checkpoints += 1;
    try {
      await this.deps.blobs.put(this.checkpointKey(), JSON.stringify(this.rows));
    } catch (error) {
      log('warn', 'checkpoint_failed', describeError(error));
    }
  }
}

const checkedOf = ({ result, hostFamily }: Row): Checked => ({ kind: result.kind, hostFamily });

function askingOf(rows: readonly Row[]): Asking {
  const notAsked: Partial<Record<Unasked, number>> = {};
  let asked = 0;
  for (const { result, unasked } of rows) {
    if (result.kind.status === 'error') continue;
    if (unasked === null) asked += 1;
    else notAsked[unasked] = (notAsked[unasked] ?? 0) + 1;
  }
  return { asked, notAsked };
}

const sumOf = (spends: readonly ProviderSpend[]): number =>
  spends.reduce((sum, { spentMicros }) => sum + spentMicros, 0);

/** Reserved provider spend, and spend without a reservation. */
const providersOf = (spends: readonly ProviderSpend[]) => ({
  providers: spends.flatMap(({ reserved }) => reserved ?? []),
  providerMicros: sumOf(spends.filter(({ reserved }) => reserved === null)),
});

/** Caches address hashes, which rules and check both need: a chunk has one organisation. */
function hashedOnce(checks: Pick<DecideDeps, 'hashAddress'>): DecideDeps['hashAddress'] {
  const known = new Map<string, string>();
  return (organisationId, normalised) => {
    const found = known.get(normalised) ?? checks.hashAddress(organisationId, normalised);
    known.set(normalised, found);
    return found;
  };
}

/** The first task of a name runs alone, so that later ones can use its result; those run concurrently. */
function turns(): InTurn {
  const firsts = new Map<string, Promise<unknown>>();
  return async (name, work) => {
    const first = firsts.get(name);
    if (first !== undefined) {
      await first;
      return work();
    }
    const begun = work();
    firsts.set(name, begun);
    return begun;
  };
}

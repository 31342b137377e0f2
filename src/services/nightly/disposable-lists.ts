import { composeOverlay, type Overlay } from '../../domain/lists/overlay.ts';
import { previousList, reviewList, sizesLately } from '../../domain/lists/review-list.ts';
import { readSource } from '../../domain/lists/source-text.ts';
import type { BundledLists } from '../../domain/lists/types.ts';
import { exchange, type Fetch } from '../../integrations/exchange.ts';
import { type Clock, SECOND_MS } from '../../kernel/clock.ts';
import { DomainError } from '../../kernel/errors.ts';
import { sha256Hex } from '../../kernel/keyed-hash.ts';
import { log } from '../../kernel/log.ts';
import type { Database } from '../../storage/postgres/client.ts';
import { upsertCronStep } from '../../storage/postgres/cron-steps.ts';
import * as store from '../../storage/postgres/lists.ts';

export interface ListRefreshDeps {
  readonly db: Database;
  readonly fetch: Fetch;
  readonly bundled: BundledLists;
  /** Null: the setting is wrong, so that nothing is read, and what was published stays. */
  readonly urls: readonly string[] | null;
  /** Puts it in force everywhere. */
  publish(overlay: Overlay): Promise<void>;
}

const TIMEOUT_MS = 20 * SECOND_MS;
/** The longest list in use has 2 MB. */
const SOURCE_BYTES_MAX = 3 * 2 ** 20;

/** What became of a source tonight. */
type Refreshed = { readonly accepted: store.AcceptedSource | null } & Readonly<Record<'report', object>>;

/** A URL as a report may show it: its query may hold a password. */
function shown(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

async function read(
  { fetch }: ListRefreshDeps,
  url: string,
): Promise<{ ok: true; text: string } | { ok: false; fault: string }> {
  const headers = { accept: 'text/plain, application/json' };
  const message = { url, headers, body: undefined, replyBytesMax: SOURCE_BYTES_MAX };
  const reply = await exchange(fetch, message, (status) => status === 200, TIMEOUT_MS);
  if (!reply.ok) return { ok: false, fault: reply.fault.kind };
  return reply.status === 200 ? { ok: true, text: reply.text } : { ok: false, fault: `status_${reply.status}` };
}

/** Reads and judges one source. What is refused leaves what it said before. `isAccepted`: whatever has changed since. */
async function refresh(
  deps: ListRefreshDeps,
  url: string,
  before: store.AcceptedSource | undefined,
  runAt: number,
  isAccepted: boolean,
): Promise<Refreshed> {
  const refused = (fault: string, detail: object = {}): Refreshed => {
    log('warn', 'disposable_source_refused', { url: shown(url), fault, ...detail });
    return { accepted: null, report: { url: shown(url), refused: fault, ...detail } };
  };
  const reply = await read(deps, url);
  if (!reply.ok) return refused(reply.fault);
  const sha256 = sha256Hex(reply.text);
  if (sha256 === before?.sha256) return { accepted: null, report: { url: shown(url), sha256, gained: 0, lost: 0 } };
  const said = readSource(reply.text);
  if (said === null) return refused('malformed', { sha256 });
  const compared = isAccepted ? undefined : before;
  const previous = compared === undefined ? null : previousList(compared.domains, compared.earlier, runAt);
  const verdict = reviewList(said, previous, deps.bundled);
  if (!verdict.ok) return refused(verdict.fault, { sha256, ...verdict.change });
  const { domains, gained, lost, legitimate } = verdict;
  const earlier =
    compared === undefined
      ? []
      : [...sizesLately(compared.earlier, runAt), { domains: compared.domains.length, until: runAt }];
  return {
    accepted: { source: sha256Hex(url), sha256, domains, acceptedAt: runAt, earlier },
    report: { url: shown(url), sha256, domains: domains.length, gained, lost, legitimate },
  };
}

/**
 * Reads the configured sources and puts in force what they add to the bundled lists. A source that is out of reach, or that
 * the guards refuse, counts with what it said when it was last accepted. `acceptedUrl`: the source that a person accepts
 * whatever has changed in it.
 */
export async function refreshDisposableLists(
  deps: ListRefreshDeps,
  runAt: number,
  acceptedUrl: string | null = null,
): Promise<object> {
  const { db, urls } = deps;
  if (urls === null) return { off: 'DISPOSABLE_SOURCE_URLS' };
  if (urls.length === 0) return { sources: [] };
  const known = new Map((await store.listAcceptedSources(db)).map((each) => [each.source, each]));
  const refreshed = await Promise.all(
    urls.map((url) => refresh(deps, url, known.get(sha256Hex(url)), runAt, url === acceptedUrl)),
  );
  for (const { accepted } of refreshed) {
    if (accepted === null) continue;
    await store.upsertAcceptedSource(db, accepted);
    known.set(accepted.source, accepted);
  }
  const names = urls.map(sha256Hex);
  await store.deleteOtherSources(db, names);
  const sources = refreshed.map(({ report }) => report);
  const overlay = composeOverlay(
    names.map((name) => known.get(name)?.domains ?? []),
    deps.bundled,
  );
  if (overlay === null) return { refused: 'too_many', sources };
  await deps.publish(overlay);
  return { version: overlay.version, block: overlay.block.length, signal: overlay.signal.length, sources };
}

export const LISTS_STEP = 'disposable_lists';

/**
 * Reads the sources now, and takes this one whatever has changed in it; the guards against what it holds stay. It is named as
 * `status` shows it. Its report takes the place of the night's.
 */
export async function acceptDisposableSource(
  deps: ListRefreshDeps,
  source: string,
  now: Clock,
): Promise<{ lists: object }> {
  const url = deps.urls?.find((each) => shown(each) === source || each === source);
  if (url === undefined) throw new DomainError('not_found', 'There is no such source in DISPOSABLE_SOURCE_URLS.');
  const startedAt = now();
  const report = await refreshDisposableLists(deps, startedAt, url);
  await upsertCronStep(deps.db, { step: LISTS_STEP, startedAt, finishedAt: now(), report });
  return { lists: report };
}

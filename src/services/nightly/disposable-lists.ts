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
interface Refreshed {
  readonly url: string;
  /** Null: it stays as it was. */
  readonly accepted: store.AcceptedSource | null;
  readonly isRefused: boolean;
  readonly report: object;
}

/** A URL as a report may show it: its query may hold a password. */
function shown(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** Tells sources apart whose URLs are shown alike. */
const shortDigest = (url: string): string => sha256Hex(url).slice(0, 12);

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
  const name = { url: shown(url), source: shortDigest(url) };
  const refused = (fault: string, detail: object = {}): Refreshed => {
    log('warn', 'disposable_source_refused', { ...name, fault, ...detail });
    return { url, accepted: null, isRefused: true, report: { ...name, refused: fault, ...detail } };
  };
  const reply = await read(deps, url);
  if (!reply.ok) return refused(reply.fault);
  const sha256 = sha256Hex(reply.text);
  if (sha256 === before?.sha256)
    return { url, accepted: null, isRefused: false, report: { ...name, sha256, gained: 0, lost: 0 } };
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
    url,
    isRefused: false,
    accepted: { source: sha256Hex(url), sha256, domains, acceptedAt: runAt, earlier },
    report: { ...name, sha256, domains: domains.length, gained, lost, legitimate },
  };
}

/**
 * Reads the configured sources and puts in force what they add to the bundled lists. A source that is out of reach, or that
 * the guards refuse, counts with what it said when it was last accepted.
 */
export async function refreshDisposableLists(deps: ListRefreshDeps, runAt: number): Promise<object> {
  return (await readSources(deps, runAt, null)).report;
}

/** `isAccepted`: the source of this URL says what is in force. */
async function readSources(
  deps: ListRefreshDeps,
  runAt: number,
  acceptedUrl: string | null,
): Promise<{ report: object; isAccepted: boolean }> {
  const { db, urls } = deps;
  if (urls === null) return { report: { off: 'DISPOSABLE_SOURCE_URLS' }, isAccepted: false };
  if (urls.length === 0) return { report: { sources: [] }, isAccepted: false };
  const known = new Map((await store.listAcceptedSources(db)).map((each) => [each.source, each]));
  const refreshed: Refreshed[] = [];
  // One by one: each may be 3 MB of text.
  for (const url of urls)
    refreshed.push(await refresh(deps, url, known.get(sha256Hex(url)), runAt, url === acceptedUrl));
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
  if (overlay === null) return { report: { refused: 'too_many', sources }, isAccepted: false };
  await deps.publish(overlay);
  return {
    report: { version: overlay.version, block: overlay.block.length, signal: overlay.signal.length, sources },
    isAccepted: refreshed.some(({ url, isRefused }) => url === acceptedUrl && !isRefused),
  };
}

export const LISTS_STEP = 'disposable_lists';

/**
 * Reads the sources now, and takes this one whatever has changed in it; the guards against what it holds stay. It is named as
 * `status` shows it, by what is shown of its URL where no other has the same, or by its digest. Its report takes the place of the night's.
 */
export async function acceptDisposableSource(
  deps: ListRefreshDeps,
  source: string,
  now: Clock,
): Promise<{ accepted: boolean; lists: object }> {
  const named = (deps.urls ?? []).filter((each) => [each, shown(each), shortDigest(each)].includes(source));
  const [url, ...others] = named;
  if (url === undefined) throw new DomainError('not_found', 'There is no such source in DISPOSABLE_SOURCE_URLS.');
  if (others.length > 0)
    throw new DomainError('conflict', 'Several sources have this URL: give one’s `source`, as `status` shows it.');
  const startedAt = now();
  const { report, isAccepted } = await readSources(deps, startedAt, url);
  await upsertCronStep(deps.db, { step: LISTS_STEP, startedAt, finishedAt: now(), report });
  return { accepted: isAccepted, lists: report };
}

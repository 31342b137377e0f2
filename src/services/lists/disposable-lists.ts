import { composeOverlay, type Overlay, type SlipTest } from '../../domain/lists/overlay.ts';
import { type AcceptedSource, previousList, reviewList, sizesLately } from '../../domain/lists/review-list.ts';
import { readSource } from '../../domain/lists/source-text.ts';
import type { BundledLists } from '../../domain/lists/types.ts';
import { exchange, type Fetch } from '../../integrations/exchange.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import { sha256Hex } from '../../kernel/keyed-hash.ts';
import { log } from '../../kernel/log.ts';
import type { Database } from '../../storage/postgres/client.ts';
import * as store from '../../storage/postgres/lists.ts';

export interface ListRefreshDeps {
  readonly db: Database;
  readonly fetch: Fetch;
  readonly bundled: BundledLists;
  readonly isProviderSlip: SlipTest;
  /** Null: the setting is wrong. No source is read then, and the published overlay stays. */
  readonly urls: readonly string[] | null;
  /** Puts an overlay in force in all isolates. */
  publish(overlay: Overlay): Promise<void>;
}

const TIMEOUT_MS = 20 * SECOND_MS;
/** The longest list in use has 2 MB. */
const SOURCE_BYTES_MAX = 3 * 2 ** 20;

interface Refreshed {
  readonly url: string;
  /** Null: the source's domains stay as they were. */
  readonly accepted: AcceptedSource | null;
  readonly isRefused: boolean;
  readonly report: object;
}

/** The part of a URL that a report may show: the query may hold a password. */
export function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** Tells sources apart whose URLs look alike without the query. */
export const shortDigest = (url: string): string => sha256Hex(url).slice(0, 12);

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

/**
 * Reads and reviews one source. A refused one counts with its last accepted domains. `isAccepted`: however much it has
 * changed.
 */
async function refresh(
  deps: ListRefreshDeps,
  url: string,
  before: AcceptedSource | undefined,
  runAt: number,
  isAccepted: boolean,
): Promise<Refreshed> {
  const name = { url: shownUrl(url), source: shortDigest(url) };
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
 * Reads the configured sources and puts in force what they add to the bundled lists. A source that is out of reach, or that the
 * review refuses, counts with its last accepted domains.
 */
export async function refreshDisposableLists(deps: ListRefreshDeps, runAt: number): Promise<object> {
  return (await readSources(deps, runAt, null)).report;
}

/** `isAccepted` of the answer: the source of `acceptedUrl` was taken. */
export async function readSources(
  deps: ListRefreshDeps,
  runAt: number,
  acceptedUrl: string | null,
): Promise<{ report: object; isAccepted: boolean }> {
  const { db, urls } = deps;
  if (urls === null) return { report: { off: 'DISPOSABLE_SOURCE_URLS' }, isAccepted: false };
  if (urls.length === 0) return { report: { sources: [] }, isAccepted: false };
  const known = new Map((await store.listAcceptedSources(db)).map((each) => [each.source, each]));
  const refreshed: Refreshed[] = [];
  // One after the other: each may be 3 MB of text.
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
    deps.isProviderSlip,
  );
  if (overlay === null) return { report: { refused: 'too_many', sources }, isAccepted: false };
  await deps.publish(overlay);
  return {
    report: { version: overlay.version, block: overlay.block.length, signal: overlay.signal.length, sources },
    isAccepted: refreshed.some(({ url, isRefused }) => url === acceptedUrl && !isRefused),
  };
}

export const LISTS_STEP = 'disposable_lists';

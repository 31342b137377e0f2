import { copiesAmong, readSource } from '../domain/lists/source-text.ts';
import { type Overlay, OverlayDraft } from '../domain/lists/overlay.ts';
import { previousList, reviewList, sizesLately } from '../domain/lists/review-list.ts';
import type { BundledLists } from '../domain/lists/lists.ts';
import { exchange, type Fetch } from '../integrations/exchange.ts';
import { type Clock, SECOND_MS } from '../kernel/clock.ts';
import { sha256Hex } from '../kernel/crypto.ts';
import { DomainError } from '../kernel/errors.ts';
import { log } from '../kernel/log.ts';
import type { Database } from '../storage/postgres/client.ts';
import * as store from '../storage/postgres/lists.ts';
import { upsertCronStep } from '../storage/postgres/nightly-steps.ts';

export interface ListRefreshDeps {
  readonly db: Database;
  readonly fetch: Fetch;
  readonly bundled: BundledLists;
  /** Null means the setting is wrong: no source is read, and the published overlay stays. */
  readonly urls: readonly string[] | null;
  /** Domains passing `matters` that have real users at many customers. `isWhole`: all customers were examined. */
  findProven(
    runAt: number,
    matters: (domain: string) => boolean,
  ): Promise<{ readonly domains: readonly string[]; readonly isWhole: boolean }>;
  /** Puts an overlay in force in all isolates. */
  publish(overlay: Overlay): Promise<void>;
}

export const LISTS_STEP = 'disposable_lists';

const TIMEOUT_MS = 20 * SECOND_MS;
/** The longest list in use has 3 MB. */
const SOURCE_BYTES_MAX = 8 * 2 ** 20;

interface Refreshed {
  readonly url: string;
  /** Its domains from now on; the last accepted ones if it is refused or unchanged. */
  readonly domains: readonly string[];
  readonly isRefused: boolean;
  readonly report: object;
}

/** The part of a URL that a report may show: the query may contain a password. */
function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** Distinguishes sources whose URLs differ only in the query. */
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

/** Reads and reviews one source, and stores it if accepted. `isAccepted`: accept any amount of change. */
async function refresh(deps: ListRefreshDeps, url: string, runAt: number, isAccepted: boolean): Promise<Refreshed> {
  const name = { url: shownUrl(url), source: shortDigest(url) };
  const source = sha256Hex(url);
  const before = await store.findAcceptedSource(deps.db, source);
  const refused = (fault: string, detail: object = {}): Refreshed => {
    log('warn', 'disposable_source_refused', { ...name, fault, ...detail });
    return { url, domains: before?.domains ?? [], isRefused: true, report: { ...name, refused: fault, ...detail } };
  };
  const reply = await read(deps, url);
  if (!reply.ok) return refused(reply.fault);
  const sha256 = sha256Hex(reply.text);
  if (sha256 === before?.sha256)
    return { url, domains: before.domains, isRefused: false, report: { ...name, sha256, gained: 0, lost: 0 } };
  const said = readSource(reply.text);
  if (said === null) return refused('malformed', { sha256 });
  const compared = isAccepted ? null : before;
  const previous = compared === null ? null : previousList(compared.domains, compared.earlier, runAt);
  const verdict = reviewList(said, previous, deps.bundled);
  if (!verdict.ok) return refused(verdict.fault, { sha256, ...verdict.change });
  const { domains, gained, lost, legitimate } = verdict;
  const earlier =
    compared === null
      ? []
      : [...sizesLately(compared.earlier, runAt), { domains: compared.domains.length, until: runAt }];
  await store.upsertAcceptedSource(deps.db, { source, sha256, domains, acceptedAt: runAt, earlier });
  const report = { ...name, sha256, domains: domains.length, gained, lost, legitimate };
  return { url, domains, isRefused: false, report };
}

/**
 * Reads the configured sources and puts their additions to the bundled lists in force. An unreachable or refused source
 * counts with its last accepted domains.
 */
export async function refreshDisposableLists(deps: ListRefreshDeps, runAt: number): Promise<object> {
  return (await readSources(deps, runAt, null)).report;
}

/**
 * Reads all sources now and accepts any change of this one; the guards on its content stay. `source`: its URL, the URL
 * in `status` if unambiguous, or its digest. The report replaces the night's.
 */
export async function acceptNamed(
  deps: ListRefreshDeps,
  source: string,
  now: Clock,
): Promise<{ accepted: boolean; lists: object }> {
  const named = (deps.urls ?? []).filter((each) => [each, shownUrl(each), shortDigest(each)].includes(source));
  const [url, ...others] = named;
  if (url === undefined) throw new DomainError('not_found', 'DISPOSABLE_SOURCE_URLS does not name this source.');
  if (others.length > 0)
    throw new DomainError('conflict', 'Several sources have this URL: give one’s `source`, as `status` shows it.');
  const startedAt = now();
  const { report, isAccepted } = await readSources(deps, startedAt, url);
  await upsertCronStep(deps.db, { step: LISTS_STEP, startedAt, finishedAt: now(), report });
  return { accepted: isAccepted, lists: report };
}

/** `isAccepted` of the answer: the source of `acceptedUrl` was accepted. */
async function readSources(
  deps: ListRefreshDeps,
  runAt: number,
  acceptedUrl: string | null,
): Promise<{ report: object; isAccepted: boolean }> {
  const { db, urls } = deps;
  if (urls === null) return { report: { off: 'DISPOSABLE_SOURCE_URLS' }, isAccepted: false };
  if (urls.length === 0) return { report: { sources: [] }, isAccepted: false };
  const draft = new OverlayDraft(deps.bundled);
  const sources: object[] = [];
  let isAccepted = false;
  // Sequentially, and no text of a source outlives its turn: each may be 8 MB.
  for (const [place, url] of urls.entries()) {
    const { domains, isRefused, report } = await refresh(deps, url, runAt, url === acceptedUrl);
    draft.enter(place, domains);
    sources.push(report);
    isAccepted ||= url === acceptedUrl && !isRefused;
  }
  await store.deleteOtherSources(db, urls.map(sha256Hex));
  const proven = await deps.findProven(runAt, (domain) => draft.concerns(domain));
  for (const domain of proven.domains) draft.prove(domain);
  const copies = [...copiesAmong(urls), ...draft.copies()];
  const { table, ...report } = draft.finish(copies);
  await deps.publish({ version: report.version, table });
  const provenOf = proven.isWhole ? {} : { provenOf: 'newer organisations' };
  return { report: { ...report, ...provenOf, copies: shownCopies(urls, copies), sources }, isAccepted };
}

/** Which sources don't count beside which others, each pair once. */
const shownCopies = (urls: readonly string[], copies: readonly (readonly [number, number])[]): string[] => {
  const shown = (place: number): string => shownUrl(urls[place] ?? '');
  return [...new Set(copies.map(([copy, of]) => `${shown(copy)} copies ${shown(of)}`))];
};

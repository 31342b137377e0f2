import * as z from 'zod';
import { type Additions, additionsOf, type Overlay, overlaid } from '../domain/lists/overlay.ts';
import type { BundledLists, Lists } from '../domain/lists/types.ts';
import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS } from '../kernel/clock.ts';
import { LATE, within } from '../kernel/deadline.ts';

/** The part of Workers KV that is used: an overlay by its version, and which is in force. */
interface OverlayStore {
  get(key: string): Promise<string | null>;
  put(key: string, value: string, options: { readonly expirationTtl: number }): Promise<void>;
}

const CURRENT_KEY = 'lists:v1:current';
const overlayKey = (version: string): string => `lists:v1:${version}`;

/** Written every night; after so long without a run only the bundled lists count. */
const LIFETIME_S = (90 * DAY_MS) / SECOND_MS;

const Tier = z.array(z.string());
const StoredOverlay = z.object({ version: z.string(), block: Tier, signal: Tier });

/** How often an isolate asks which version is in force. */
const CHECKED_MS = MINUTE_MS;
/** The first request of an isolate waits this long for what was added since the Worker was deployed. */
const FIRST_READ_MS = 300;

/** The lists of an isolate: the bundled ones, and what the nightly run has added. An overlay is read once a version. */
export class CurrentLists {
  readonly lists: Lists;
  private additions: Additions = new Map();
  private version: string | null = null;
  private checkedAt: number | null = null;
  /** KV has answered, with an overlay or without. */
  private isSettled = false;
  private readonly kv: OverlayStore;
  private readonly now: Clock;

  constructor(bundled: BundledLists, kv: OverlayStore, now: Clock) {
    this.lists = overlaid(bundled, () => this.additions);
    this.kv = kv;
    this.now = now;
  }

  /**
   * Sees to it that the lists are of the last minute or two, or those at hand at `deadlineMs`. `defer`: lets work go on behind
   * the answer. Never rejects.
   */
  async refresh(defer: (work: Promise<unknown>) => void, deadlineMs = Number.POSITIVE_INFINITY): Promise<void> {
    if (this.isSettled && this.checkedAt !== null && this.now() - this.checkedAt < CHECKED_MS) return;
    this.checkedAt = this.now();
    const wasSettled = this.isSettled;
    const refreshing = this.read();
    const patienceMs = Math.max(0, Math.min(FIRST_READ_MS, deadlineMs - this.now()));
    if (wasSettled || (await within(refreshing, patienceMs)) === LATE) defer(refreshing);
  }

  /** Puts an overlay in force: itself first, then the word that it is; here at once. Rejects when KV does. */
  async publish(overlay: Overlay): Promise<void> {
    await this.kv.put(overlayKey(overlay.version), JSON.stringify(overlay), { expirationTtl: LIFETIME_S });
    await this.kv.put(CURRENT_KEY, overlay.version, { expirationTtl: LIFETIME_S });
    this.adopt(overlay);
  }

  private adopt(overlay: Overlay): void {
    this.additions = additionsOf(overlay);
    this.version = overlay.version;
  }

  /** What can't be read changes nothing: it is asked for again after a minute. */
  private async read(): Promise<void> {
    try {
      const version = await this.kv.get(CURRENT_KEY);
      if (version === null || version === this.version) return;
      const stored = await this.kv.get(overlayKey(version));
      if (stored === null) return;
      this.adopt(StoredOverlay.parse(JSON.parse(stored)));
    } catch {
      // As above.
    } finally {
      this.isSettled = true;
    }
  }
}

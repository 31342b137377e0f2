import * as z from 'zod';
import { type Additions, additionsOf, type Overlay, overlaid, type SlipTest } from '../domain/lists/overlay.ts';
import type { BundledLists, Lists } from '../domain/lists/types.ts';
import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS } from '../kernel/clock.ts';
import { LATE, within } from '../kernel/deadline.ts';

/** The part of Workers KV that we use: overlays by version, and the version in force. */
interface OverlayStore {
  get(key: string): Promise<string | null>;
  put(key: string, value: string, options: { readonly expirationTtl: number }): Promise<void>;
}

const CURRENT_KEY = 'lists:v1:current';
const overlayKey = (version: string): string => `lists:v1:${version}`;

/** The overlay is written every night; after 90 days without a run only the bundled lists count. */
const LIFETIME_S = (90 * DAY_MS) / SECOND_MS;

const Tier = z.array(z.string());
const StoredOverlay = z.object({ version: z.string(), block: Tier, signal: Tier });

/** How often an isolate reads which version is in force. */
const CHECKED_MS = MINUTE_MS;
/** An isolate's first request waits this long for the overlay. */
const FIRST_READ_MS = 300;

/** The lists of an isolate: the bundled ones and the nightly overlay. Each version of the overlay is read once. */
export class CurrentLists {
  readonly lists: Lists;
  private additions: Additions = new Map();
  private version: string | null = null;
  private checkedAt: number | null = null;
  /** Whether KV has answered, with an overlay or without. */
  private isSettled = false;
  private readonly kv: OverlayStore;
  private readonly now: Clock;

  constructor(bundled: BundledLists, isSlip: SlipTest, kv: OverlayStore, now: Clock) {
    this.lists = overlaid(bundled, () => this.additions, isSlip);
    this.kv = kv;
    this.now = now;
  }

  /**
   * Brings the lists up to date within a minute or two, or leaves them as they are at `deadlineMs`. `defer`: lets work go
   * on after the answer. Never rejects.
   */
  async refresh(defer: (work: Promise<unknown>) => void, deadlineMs = Number.POSITIVE_INFINITY): Promise<void> {
    if (this.isSettled && this.checkedAt !== null && this.now() - this.checkedAt < CHECKED_MS) return;
    this.checkedAt = this.now();
    const wasSettled = this.isSettled;
    const refreshing = this.read();
    const patienceMs = Math.max(0, Math.min(FIRST_READ_MS, deadlineMs - this.now()));
    if (wasSettled || (await within(refreshing, patienceMs)) === LATE) defer(refreshing);
  }

  /**
   * Puts an overlay in force: writes it first, then the version in force; at once in this isolate. Rejects when KV does.
   */
  async publish(overlay: Overlay): Promise<void> {
    await this.kv.put(overlayKey(overlay.version), JSON.stringify(overlay), { expirationTtl: LIFETIME_S });
    await this.kv.put(CURRENT_KEY, overlay.version, { expirationTtl: LIFETIME_S });
    this.adopt(overlay);
  }

  private adopt(overlay: Overlay): void {
    this.additions = additionsOf(overlay);
    this.version = overlay.version;
  }

  /** A failed read changes nothing; it is tried again after a minute. */
  private async read(): Promise<void> {
    try {
      const version = await this.kv.get(CURRENT_KEY);
      if (version === null || version === this.version) return;
      const stored = await this.kv.get(overlayKey(version));
      if (stored === null) return;
      this.adopt(StoredOverlay.parse(JSON.parse(stored)));
    } catch {
      // The lists stay as they are.
    } finally {
      this.isSettled = true;
    }
  }
}

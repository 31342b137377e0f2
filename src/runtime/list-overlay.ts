import * as z from 'zod';
import { type Additions, additionsOf, type Overlay, overlaid, type SlipTest } from '../domain/lists/overlay.ts';
import type { BundledLists, Lists } from '../domain/lists/types.ts';
import type { Clock } from '../kernel/clock.ts';
import { PublishedTable, type TableStore } from '../storage/published-table.ts';

const Tier = z.array(z.string());
const StoredOverlay = z.object({ version: z.string(), block: Tier, signal: Tier });

/** The lists of an isolate: the bundled ones and the nightly overlay. */
export class CurrentLists {
  readonly lists: Lists;
  readonly overlay: PublishedTable<Overlay>;
  private additions: Additions = new Map();

  constructor(bundled: BundledLists, isSlip: SlipTest, kv: TableStore, now: Clock) {
    this.lists = overlaid(bundled, () => this.additions, isSlip);
    this.overlay = new PublishedTable<Overlay>({
      prefix: 'lists:v1',
      schema: StoredOverlay,
      kv,
      now,
      adopt: (overlay) => {
        this.additions = additionsOf(overlay);
      },
    });
  }
}

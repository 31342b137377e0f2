import { type Overlay, type SlipTest, overlaid } from '../domain/lists/overlay.ts';
import { openTable, type Table } from '../domain/lists/table.ts';
import type { BundledLists, Lists } from '../domain/lists/lists.ts';
import type { Clock } from '../kernel/clock.ts';
import { PublishedTable, type TableForm, type TableStore } from '../storage/published-table.ts';

/** Its bytes alone, which an isolate reads in place. */
const PACKED: TableForm<Overlay> = {
  write: ({ table }) => table,
  read: async (kv, key, version) => {
    const stored = await kv.get(key, 'arrayBuffer');
    return stored === null ? null : { version, table: new Uint8Array(stored) };
  },
};

/** The lists of an isolate: the bundled ones and the nightly overlay. */
export class CurrentLists {
  readonly lists: Lists;
  readonly overlay: PublishedTable<Overlay>;
  private additions: Table | null = null;

  constructor(bundled: BundledLists, isSlip: SlipTest, kv: TableStore, now: Clock) {
    this.lists = overlaid(bundled, () => this.additions, isSlip);
    this.overlay = new PublishedTable<Overlay>({
      prefix: 'lists:v1',
      form: PACKED,
      kv,
      now,
      adopt: ({ table }) => {
        this.additions = openTable(table);
      },
    });
  }
}

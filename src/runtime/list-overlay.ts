import * as z from 'zod';
import { hashOf } from '../domain/lists/hash.ts';
import { HashTable } from '../domain/lists/hash-table.ts';
import { overlaid, type SlipTest } from '../domain/lists/overlay.ts';
import type { Overlay } from '../domain/lists/overlay-draft.ts';
import { packTable } from '../domain/lists/pack.ts';
import { DOMAIN_SETS } from '../domain/lists/sets.ts';
import { openTable, type Table } from '../domain/lists/table.ts';
import type { BundledLists, Lists } from '../domain/lists/types.ts';
import type { Clock } from '../kernel/clock.ts';
import { jsonForm, PublishedTable, type TableForm, type TableStore } from '../storage/published-table.ts';

/** Its bytes alone, which an isolate reads in place. */
const PACKED: TableForm<Overlay> = {
  write: ({ table }) => table,
  read: async (kv, key, version) => {
    const stored = await kv.get(key, 'arrayBuffer');
    return stored === null ? null : { version, table: new Uint8Array(stored) };
  },
};

const Tier = z.array(z.string());

/** What the release before wrote. It goes on reading its own after a rollback, so this release leaves that alone. */
const EARLIER = jsonForm(
  z.object({ version: z.string(), block: Tier, signal: Tier }).transform(({ version, block, signal }): Overlay => {
    const names = new HashTable();
    for (const domain of signal) names.set(...hashOf(domain), DOMAIN_SETS.signal);
    for (const domain of block) names.set(...hashOf(domain), DOMAIN_SETS.block);
    return { version, table: packTable(names.names) };
  }),
);

/** The lists of an isolate: the bundled ones and the nightly overlay. */
export class CurrentLists {
  readonly lists: Lists;
  readonly overlay: PublishedTable<Overlay>;
  private additions: Table | null = null;

  constructor(bundled: BundledLists, isSlip: SlipTest, kv: TableStore, now: Clock) {
    this.lists = overlaid(bundled, () => this.additions, isSlip);
    this.overlay = new PublishedTable<Overlay>({
      prefix: 'lists:v2',
      form: PACKED,
      earlier: { prefix: 'lists:v1', form: EARLIER },
      kv,
      now,
      adopt: ({ table }) => {
        this.additions = openTable(table);
      },
    });
  }
}

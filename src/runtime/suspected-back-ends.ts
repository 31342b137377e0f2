import * as z from 'zod';
import {
  type BackEnds,
  type BackEndsDeps,
  createBackEnds,
  type SuspectedBackEnds,
} from '../domain/mailbox-provider/back-ends.ts';
import type { Clock } from '../kernel/clock.ts';
import { jsonForm, PublishedTable, type TableStore } from '../storage/published-table.ts';

const StoredBackEnds = z.object({ version: z.string(), backEnds: z.array(z.string()) });

/** The back ends that an isolate suspects: those of the last night. */
export class CurrentBackEnds {
  readonly backEnds: BackEnds;
  readonly table: PublishedTable<SuspectedBackEnds>;
  private suspected: ReadonlySet<string> = new Set();

  constructor(deps: BackEndsDeps, kv: TableStore, now: Clock) {
    this.backEnds = createBackEnds(deps, () => this.suspected);
    this.table = new PublishedTable<SuspectedBackEnds>({
      prefix: 'back-ends:v1',
      form: jsonForm(StoredBackEnds),
      kv,
      now,
      adopt: ({ backEnds }) => {
        this.suspected = new Set(backEnds);
      },
    });
  }
}

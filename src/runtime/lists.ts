import * as z from 'zod';
import domains from '../domain/lists/data/domains.bin';
import labels from '../domain/lists/data/labels.bin';
import names from '../domain/lists/data/names.bin';
import { createLists } from '../domain/lists/lists.ts';
import { type Overlay, overlaid, type TypoTest } from '../domain/lists/overlay.ts';
import { isLegitimate } from '../domain/lists/review-list.ts';
import { openTable, type Table } from '../domain/lists/table.ts';
import type { BundledLists, Lists } from '../domain/lists/lists.ts';
import {
  type BackEnds,
  type BackEndsDeps,
  createBackEnds,
  type SuspectedBackEnds,
} from '../domain/mailbox-provider/back-ends.ts';
import { createMailHostClassifier, providersHosts } from '../domain/mailbox-provider/classify.ts';
import patterns from '../domain/mailbox-provider/data/patterns.bin';
import japaneseNames from '../domain/screening/names/data/japanese-names.bin';
import knownNames from '../domain/screening/names/data/known-names.bin';
import nativeNames from '../domain/screening/names/data/native-names.bin';
import nicknames from '../domain/screening/names/data/nicknames.bin';
import romanisation from '../domain/screening/names/data/romanisation.bin';
import { createNameMatcher } from '../domain/screening/names/match-name.ts';
import { createDomainSuggester, createProviderTypoTest } from '../domain/screening/typo/suggest.ts';
import type { Clock } from '../kernel/clock.ts';
import { jsonForm, PublishedTable, type TableForm, type TableStore } from '../storage/kv.ts';

/** The bundled lists, opened once an isolate and read from the module's bytes without parsing. */
export const LISTS = createLists({ domains, names });

export const classifyMailHosts = createMailHostClassifier(patterns);

export const isProvidersHost = providersHosts(classifyMailHosts);

export const suggestDomain = createDomainSuggester(labels);

/** Excludes typos from the overlay of the disposable lists. */
export const isProviderTypo = createProviderTypoTest(suggestDomain, (domain) => isLegitimate(LISTS, domain));

export const matchName = createNameMatcher({ romanisation, nicknames, nativeNames, japaneseNames, knownNames });

/** Only bytes, which an isolate reads in place. */
const PACKED: TableForm<Overlay> = {
  write: ({ table }) => table,
  read: async (kv, key, version) => {
    const stored = await kv.get(key, 'arrayBuffer');
    return stored === null ? null : { version, table: new Uint8Array(stored) };
  },
};

/** An isolate's lists: the bundled ones and the nightly overlay. */
export class CurrentLists {
  readonly lists: Lists;
  readonly overlay: PublishedTable<Overlay>;
  private additions: Table | null = null;

  constructor(bundled: BundledLists, isTypo: TypoTest, kv: TableStore, now: Clock) {
    this.lists = overlaid(bundled, () => this.additions, isTypo);
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

const StoredBackEnds = z.object({ version: z.string(), backEnds: z.array(z.string()) });

/** The back ends that an isolate suspects: last night's. */
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

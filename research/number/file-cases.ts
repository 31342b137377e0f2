import type { HostClass } from '../../src/domain/belief/host-class.ts';
import { PROVIDER_IDS, type ProviderId, type ProviderVerdict } from '../../src/domain/belief/provider.ts';
import { type Person, personAt, Scene, type Case } from './scene.ts';

const ROWS = 600;
const HOSTS: readonly HostClass[] = ['google_business', 'unknown_business', 'google_consumer'];
const SHARES = [0.05, 0.12, 0.25, 0.4, 0.6];
const ORDERS = ['mixed', 'dead first', 'dead last'] as const;

interface Row {
  readonly person: Person;
  readonly isDead: boolean;
  /** Every hundredth living mailbox is refused. */
  readonly isRefused: boolean;
}

function rowsOf(share: number, order: (typeof ORDERS)[number]): Row[] {
  const rows = Array.from({ length: ROWS }, (_, at): Row => {
    const isDead = Math.floor((at + 1) * share) > Math.floor(at * share);
    return {
      person: personAt(HOSTS[at % HOSTS.length] ?? 'google_business'),
      isDead,
      isRefused: isDead || at % 100 === 7,
    };
  });
  const sign = order === 'mixed' ? 0 : order === 'dead first' ? 1 : -1;
  return rows.toSorted((one, other) => sign * (Number(other.isDead) - Number(one.isDead)));
}

/** Results of a file with one vendor in a new account, as shares. */
interface Outcome {
  readonly asked: number;
  readonly dropped: number;
  readonly sent: number;
}

function through(vendor: ProviderId, rows: readonly Row[]): Outcome {
  const scene = new Scene();
  let [unsettled, asked, refused, dropped, good, sent] = [0, 0, 0, 0, 0, 0];
  for (const { person, isRefused } of rows) {
    const look = scene.look(person, 'list_hygiene', true, [vendor], 'file');
    const isWebmail = vendor === 'hunter' && person.host === 'google_consumer';
    if (!isWebmail) unsettled += 1;
    const isAsked = look.next() === vendor;
    if (isAsked) {
      const verdict: ProviderVerdict = isWebmail ? 'unknown' : isRefused ? 'undeliverable' : 'deliverable';
      look.told({ provider: vendor, verdict });
    }
    const action = look.recommendation();
    look.end();
    if (!isAsked || isWebmail) continue;
    asked += 1;
    if (isRefused) {
      refused += 1;
      if (action === 'drop') dropped += 1;
    } else {
      good += 1;
      if (action === 'send') sent += 1;
    }
  }
  return { asked: asked / unsettled, dropped: dropped / refused, sent: sent / good };
}

/** Files from clean to dirty, in each order, through each vendor alone at its list price: the worst of each dirtiness. */
export const fileCases = (): Case[] =>
  SHARES.map((share) => {
    const all = PROVIDER_IDS.flatMap((vendor) => ORDERS.map((order) => through(vendor, rowsOf(share, order))));
    const worst = (of: keyof Outcome): number => Math.min(...all.map((one) => one[of]));
    const sends = share === 0.6 ? 0.88 : 0.95;
    const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;
    return {
      situation: `a file of ${ROWS} rows, ${100 * share} % dead, each vendor alone, each order: the worst`,
      required: `asked ≥ 97 %, refused drop ≥ 95 %, deliverable send ≥ ${100 * sends} %`,
      found: `${percent(worst('asked'))}, ${percent(worst('dropped'))}, ${percent(worst('sent'))}`,
      ok: worst('asked') >= 0.97 && worst('dropped') >= 0.95 && worst('sent') >= sends,
    };
  });

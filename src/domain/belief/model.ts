import { zeros } from '../../kernel/probability.ts';
import { EVIDENCE_TABLE, type EvidenceTable } from './evidence-table.ts';
import { type HostClass, isShared } from './host-class.ts';
import { type Cell, PRIOR_TABLE, type PriorTable, type ServerAnswer } from './prior-table.ts';
import { type AnswerRows, PROVIDER_TABLE, type ProviderTable } from './provider-table.ts';
import type { ProviderId } from './provider.ts';

/** The server's answers, in the order of every array here. */
export const ANSWERS = ['accepts', 'refuses', 'accepts_all', 'inconclusive'] as const satisfies readonly ServerAnswer[];
export const ANSWER_COUNT = ANSWERS.length;

/** Upper bound for each figure's variance: rare cells would otherwise make every interval too wide. */
export const VARIANCE_MAX = 0.25;

/** The part of a host's row for domains that accept every recipient (1) or don't (0). */
export interface DomainKind {
  readonly share: number;
  /** P(bounces) of an unknown address, and its log-odds. */
  readonly bounceRate: number;
  readonly logOdds: number;
  /** P(the server's answer | lands), then P(… | bounces). */
  readonly answers: readonly [lands: readonly number[], bounces: readonly number[]];
  /** P(bounces | the server's answer), and the variance of its log-odds. */
  readonly cellRates: readonly number[];
  readonly cellVariance: readonly number[];
  /** Rate a year at which mailboxes start to bounce. */
  readonly churn: number;
}

export interface HostTables {
  readonly kinds: readonly [strict: DomainKind, acceptsAll: DomainKind];
  readonly recovery: number;
  readonly redraw: number;
}

const normalised = (weights: readonly number[]): number[] => {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
};

function kindOf({ prior, evidence: { churn } }: Model, host: HostClass, acceptsAll: boolean): DomainKind {
  const cells = prior[host].filter((cell: Cell) => cell.acceptsAll === acceptsAll);
  const all = prior[host].reduce((sum, { alpha }) => sum + alpha, 0);
  const [lands, bounces] = [zeros(ANSWER_COUNT), zeros(ANSWER_COUNT)];
  const [cellRates, cellVariance] = [zeros(ANSWER_COUNT), zeros(ANSWER_COUNT).fill(VARIANCE_MAX)];
  let [total, bounced] = [0, 0];
  for (const cell of cells) {
    const at = ANSWERS.indexOf(cell.answer);
    const rate = cell.bounced / (cell.bounced + cell.landed);
    bounces[at] = cell.alpha * rate;
    lands[at] = cell.alpha * (1 - rate);
    cellRates[at] = rate;
    cellVariance[at] = Math.min(VARIANCE_MAX, 1 / cell.bounced + 1 / cell.landed);
    total += cell.alpha;
    bounced += cell.alpha * rate;
  }
  const bounceRate = bounced / total;
  return {
    share: total / all,
    bounceRate,
    logOdds: Math.log(bounceRate / (1 - bounceRate)),
    answers: [normalised(lands), normalised(bounces)],
    cellRates,
    cellVariance,
    churn: (isShared(host) ? churn.consumer : acceptsAll ? churn.acceptsAll : churn.strict).mean,
  };
}

const COMPILED = new WeakMap<Model, Map<HostClass, HostTables>>();

export function tablesAt(model: Model, host: HostClass): HostTables {
  const ofModel = COMPILED.get(model) ?? new Map<HostClass, HostTables>();
  COMPILED.set(model, ofModel);
  const known = ofModel.get(host);
  if (known !== undefined) return known;
  const { recovery, redraw } = model.evidence.churn;
  const kinds = [kindOf(model, host, false), kindOf(model, host, true)] as const;
  const made: HostTables = { kinds, recovery: recovery.mean, redraw: redraw.mean };
  ofModel.set(host, made);
  return made;
}

/** The tables behind a belief. A trace stores their version, which is enough to replay it. */
export interface Model {
  readonly version: string;
  readonly prior: PriorTable;
  readonly providers: ProviderTable;
  readonly evidence: EvidenceTable;
}

/** The model in force. Changing any number needs a new version, and the old one stays in `MODELS`. */
export const MODEL: Model = {
  version: '1',
  prior: PRIOR_TABLE,
  providers: PROVIDER_TABLE,
  evidence: EVIDENCE_TABLE,
};

/** Every model that stored traces may name. */
export const MODELS: readonly Model[] = [MODEL];

export const modelOf = (version: string, models = MODELS): Model | null =>
  models.find((model) => model.version === version) ?? null;

export const rowsAt = (model: Model, provider: ProviderId, host: HostClass): AnswerRows =>
  model.providers[provider].hosts[host] ?? model.providers[provider].anyHost;

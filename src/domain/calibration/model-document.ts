import * as z from 'zod';
import type { HostPrior } from '../verification/belief.ts';
import type { HostClass } from '../verification/host-class.ts';
import { type Model, SEEDED_MODEL } from '../verification/model.ts';
import { PROVIDER_IDS, type ProviderId } from '../verification/provider.ts';
import type { AnswerRows, VerdictCounts } from '../verification/provider-table.ts';
import { CELLS } from './tables.ts';

const MODEL_VERSION = 1;

/** Positive, because the model divides by every weight. */
const Count = z.number().positive();
const Rate = z.number().gt(0).lt(1);
const Cell = z.tuple([Count, Count, Count]);
const Row = z.tuple([Count, Count, Count, Count, Count]);
const Rows = z.tuple([Row, Row, Row, Row]);

/** Log-odds of features, the report classes' rates (lands, bounces), and deaths a year (strict, catch-all, consumer). */
const History = z.object({
  features: z.record(z.string(), z.number()),
  reports: z.record(z.string(), z.tuple([Rate, Rate])),
  churn: z.tuple([Count, Count, Count]),
});

/**
 * A fitted model as it is stored: numbers without names. Cells are in the order of `CELLS` (alpha, bounced, landed), rows
 * in the order of the server's answers.
 */
const ModelDocument = z.object({
  v: z.literal(MODEL_VERSION),
  version: z.string(),
  prior: z.record(z.string(), z.array(Cell).length(CELLS.length)),
  providers: z.record(z.string(), z.object({ anyHost: Rows, hosts: z.record(z.string(), Rows) })),
  /** What is learnt of histories; absent in a fit of patterns. */
  history: History.optional(),
  /** Share of a source's reports that say the wrong thing. */
  sources: z.record(z.string(), Rate).optional(),
  /** Share of addresses of which every vendor sees a wrong answer. */
  mistaken: Rate.optional(),
  /** How far the account's lists lie from the table's, in log-odds. */
  list_level: z.number().optional(),
  /** How far companies' catch-alls lie from the table's, in log-odds. */
  accepts_all_level: z.number().optional(),
  /** A factor on the variance of every number. */
  variance_factor: Count.optional(),
  calibration: z.enum(['prior', 'fitted']),
});
export type ModelDocument = z.infer<typeof ModelDocument>;

const rowsOut = (rows: AnswerRows): z.infer<typeof Rows> => {
  const row = ([d, u, c, r, k]: VerdictCounts): z.infer<typeof Row> => [d, u, c, r, k];
  return [row(rows.accepts), row(rows.refuses), row(rows.accepts_all), row(rows.inconclusive)];
};

const rowsIn = ([accepts, refuses, accepts_all, inconclusive]: z.infer<typeof Rows>): AnswerRows => ({
  accepts,
  refuses,
  accepts_all,
  inconclusive,
});

const eachOf = <From, To>(
  values: Readonly<Record<string, From>>,
  make: (value: From, key: string) => To,
): Record<string, To> => Object.fromEntries(Object.entries(values).map(([key, value]) => [key, make(value, key)]));

const historyOut = ({ history }: Model): z.infer<typeof History> => ({
  features: history.features,
  reports: eachOf(history.reports, ({ lands, bounces }): [number, number] => [lands, bounces]),
  churn: [history.churn.strict, history.churn.acceptsAll, history.churn.consumer],
});

/** Of names that the document lacks the table's figures stay. */
function historyIn({ features, reports, churn }: z.infer<typeof History>): Model['history'] {
  const table = SEEDED_MODEL.history;
  const [strict, acceptsAll, consumer] = churn;
  return {
    ...table,
    churn: { ...table.churn, strict, acceptsAll, consumer },
    features: eachOf(table.features, (own, name) => features[name] ?? own) as Model['history']['features'],
    reports: eachOf(table.reports, (own, name) => {
      const [lands, bounces] = reports[name] ?? [own.lands, own.bounces];
      return { lands, bounces };
    }) as Model['history']['reports'],
  };
}

/** Whether the fit was of rows. One of patterns learns nothing of histories. */
const isOfRows = ({ history }: Model): boolean => history.features !== SEEDED_MODEL.history.features;

export const documentOf = (model: Model): ModelDocument => ({
  v: MODEL_VERSION,
  version: model.version,
  ...(isOfRows(model) ? { history: historyOut(model) } : {}),
  ...(Object.keys(model.history.sources).length === 0 ? {} : { sources: model.history.sources }),
  ...(model.history.mistaken === 0 ? {} : { mistaken: model.history.mistaken }),
  ...(model.history.listLevel === 0 ? {} : { list_level: model.history.listLevel }),
  ...(model.history.acceptsAllLevel === 0 ? {} : { accepts_all_level: model.history.acceptsAllLevel }),
  ...(model.history.varianceFactor === 1 ? {} : { variance_factor: model.history.varianceFactor }),
  calibration: model.calibration,
  prior: eachOf(model.prior, (cells: HostPrior) => cells.map(({ alpha, bounced, landed }) => [alpha, bounced, landed])),
  providers: eachOf(model.providers, ({ anyHost, hosts }) => ({
    anyHost: rowsOut(anyHost),
    hosts: eachOf(hosts, rowsOut),
  })),
});

/**
 * The model of a stored document, from parsed JSON. Null when it is not a model: the seeded tables then apply. A host class or provider that the document lacks keeps the table's numbers.
 */
export function modelFrom(document: unknown): Model | null {
  const parsed = ModelDocument.safeParse(document);
  if (!parsed.success) return null;
  const { version, prior, providers, history, sources = {}, mistaken = 0 } = parsed.data;
  const {
    list_level: listLevel = 0,
    accepts_all_level: acceptsAllLevel = 0,
    variance_factor: varianceFactor = 1,
  } = parsed.data;
  const cellsAt = (host: HostClass): HostPrior =>
    prior[host]?.map(([alpha, bounced, landed], at) => ({ ...(CELLS[at] ?? CELLS[0]), alpha, bounced, landed })) ??
    SEEDED_MODEL.prior[host];
  const rowsOf = (id: ProviderId): Model['providers'][ProviderId] => {
    const rows = providers[id];
    if (rows === undefined) return SEEDED_MODEL.providers[id];
    return { anyHost: rowsIn(rows.anyHost), hosts: eachOf(rows.hosts, rowsIn) };
  };
  const hosts = Object.keys(SEEDED_MODEL.prior) as HostClass[];
  const table = Object.fromEntries(hosts.map((host) => [host, cellsAt(host)])) as unknown as Model['prior'];
  return {
    version,
    calibration: parsed.data.calibration,
    prior: table,
    providers: Object.fromEntries(PROVIDER_IDS.map((id) => [id, rowsOf(id)])) as Model['providers'],
    history: {
      ...(history === undefined ? SEEDED_MODEL.history : historyIn(history)),
      sources,
      mistaken,
      listLevel,
      acceptsAllLevel,
      varianceFactor,
    },
    centre: history === undefined ? SEEDED_MODEL.centre : table,
  };
}

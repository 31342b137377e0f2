import type { Command } from 'commander';
import type { Trace } from '../../src/contract/traces.ts';
import { type Replayed, replay } from '../../src/domain/answer/replay.ts';
import { modelOf } from '../../src/domain/belief/model.ts';
import { callService, findConnection, OperatorError } from './api.ts';
import { organisationKey, organisationKeyFile, refusedOrganisationKey } from './secret-input.ts';

type Step = NonNullable<Trace['route']>[number];

const line = (name: string, text: string): string => `${name.padEnd(16)}${text}`;
const dollars = (amount: number): string => `$${Number(amount.toFixed(6))}`;

/** Log-odds. */
const signed = (shift: number): string => `${shift < 0 ? '−' : '+'}${Math.abs(shift).toFixed(2)}`;

function age(seconds: number): string {
  const [minutes, hours] = [seconds / 60, seconds / 3_600];
  return hours >= 48
    ? `${Math.round(hours / 24)} days`
    : minutes >= 120
      ? `${Math.round(hours)} h`
      : `${Math.round(minutes)} min`;
}

/** Where each candidate's expected total stands beside that of stopping: the least wins. */
function stepText({ choice, probability, stop_value_usd, candidates, excluded, missed }: Step): string {
  const values = [
    ['stop', stop_value_usd] as const,
    ...candidates.map(({ provider, value_usd }) => [provider, value_usd] as const),
  ].toSorted(([, one], [, other]) => one - other);
  return [
    `at ${probability.toFixed(6)}: ${values.map(([name, value]) => `${name} ${dollars(value)}`).join(', ')}`,
    `→ ${choice}`,
    ...(excluded.length === 0
      ? []
      : [`(not: ${excluded.map(({ provider, why }) => `${provider} ${why}`).join(', ')})`]),
    ...(missed ? ['(another would have been asked, had it not failed so often)'] : []),
  ].join(' ');
}

function lossesLine(losses: NonNullable<Trace['features']>['losses']): string {
  const { version, bounce, contact_lost, held_good, held_bad } = losses;
  const costs = `bounce ${dollars(bounce)}, contact lost ${dollars(contact_lost)}, held ${dollars(held_good)} / ${dollars(held_bad)}`;
  return line('losses', `${costs} (${version === 0 ? 'the service’s' : `version ${version}`})`);
}

/** A verification step by step, one line each: what was known, what was asked and why, and what follows. */
function printReplay(trace: Trace, replayed: Replayed, isEqual: boolean): string[] {
  const { features, route, providers, provider_failures } = trace;
  const { belief } = replayed;
  const known = features?.known_answers ?? [];
  const failures = provider_failures ?? [];
  const received = Object.entries(providers ?? {});
  const result = (probability: number, interval: readonly number[], said: readonly string[]): string =>
    [probability, `[${interval.join(', ')}]`, ...said].join(' ');
  return [
    line('trace', `${trace.trace_id} ${trace.kind} ${new Date(trace.created_at * 1_000).toISOString()}`),
    line('address', trace.display),
    line('purpose', trace.context?.purpose ?? 'outbound'),
    ...(features === null ? [] : [lossesLine(features.losses)]),
    line('reasons', trace.reasons?.join(', ') || 'none'),
    line('host', `${features?.host_class} (mail hosts: ${features?.mail_hosts})`),
    line('model', `${features?.model_version}`),
    ...known.map(({ provider, verdict, age_s }) => line('known', `${provider} ${verdict}, ${age(age_s)} old`)),
    ...(features?.known_outcomes ?? []).map((seen) => line('known', `${seen.class}, ${age(seen.age_s)} old`)),
    line('domain', `accepts all: ${Number((features?.neighbours.accepts_all ?? 0).toPrecision(4))}`),
    ...(route ?? []).map((step, at) => line(`step ${at + 1}`, stepText(step))),
    ...received.map(([provider, { verdict, ms, cost }]) =>
      line('answer', `${provider} ${verdict}, ${ms} ms, ${dollars(cost)}`),
    ),
    ...failures.map(({ provider, kind, ms }) => line('failure', `${provider} ${kind}, ${ms} ms`)),
    ...(features?.evidence ?? []).map(({ code, shift, provider, verdict }) =>
      line('evidence', [code, ...(provider === undefined ? [] : [provider, verdict]), signed(shift)].join(' ')),
    ),
    line(
      'stored',
      result(trace.bounce_probability, trace.confidence_interval ?? [], [trace.verdict, trace.recommendation]),
    ),
    line('made again', result(belief.probability, belief.interval, [replayed.verdict, replayed.recommendation])),
    isEqual ? '✓ equal' : '✗ not equal',
  ];
}

interface Globals {
  url?: string;
  state: string;
  json: boolean;
}

/** `trace replay ID`: how a verification was made, and whether its number follows from what was kept of it. */
export function addTraceCommands(program: Command): void {
  program
    .command('trace')
    .description('verifications that were made')
    .command('replay <id>')
    .description('show how it was made, and make its number again from the trace alone')
    .addOption(organisationKeyFile())
    .addOption(refusedOrganisationKey(program))
    .action(async (id: string, { apiKeyFile }: { apiKeyFile?: string }) => {
      const { url, state, json } = program.opts<Globals>();
      const connection = findConnection(
        { ...(url !== undefined && { url }), state, key: organisationKey(apiKeyFile) },
        'organisation',
      );
      const { trace } = (await callService(connection, 'GET', `/v1/traces/${encodeURIComponent(id)}`)) as {
        trace: Trace;
      };
      const replayed = replayTrace(trace);
      const isEqual = agrees(trace, replayed);
      if (json) console.log(JSON.stringify({ trace, replayed, equal: isEqual }, null, 2));
      else for (const told of printReplay(trace, replayed, isEqual)) console.log(told);
      if (!isEqual) process.exitCode = 1;
    });
}

function replayTrace(trace: Trace): Replayed {
  if (trace.features === null)
    throw new OperatorError('The trace is older than 90 days: the inputs of its number are deleted.');
  const { model_version: version } = trace.features;
  const model = modelOf(version);
  if (model === null) throw new OperatorError(`This release has no model ${version}: use one that has it.`);
  const replayed = replay(trace, model);
  if (replayed === null) throw new OperatorError('The trace lacks the inputs of its number.');
  return replayed;
}

const agrees = (trace: Trace, { belief, verdict, recommendation, disagreement }: Replayed): boolean =>
  trace.bounce_probability === belief.probability &&
  trace.confidence_interval?.[0] === belief.interval[0] &&
  trace.confidence_interval[1] === belief.interval[1] &&
  trace.verdict === verdict &&
  trace.recommendation === recommendation &&
  trace.disagreement === disagreement;

import type { Command } from 'commander';
import type { Trace } from '../../src/contract/traces.ts';
import { type Replayed, replay } from '../../src/domain/answer/replay.ts';
import { modelOf } from '../../src/domain/belief/model.ts';
import { callService, findConnection, OperatorError } from './api.ts';
import { printReplay } from './print-replay.ts';
import { organisationKey, organisationKeyFile, refusedOrganisationKey } from './secret-input.ts';

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
      else for (const line of printReplay(trace, replayed, isEqual)) console.log(line);
      if (!isEqual) process.exitCode = 1;
    });
}

function replayTrace(trace: Trace): Replayed {
  if (trace.features === null)
    throw new OperatorError('The trace is older than 90 days: what its number was made from is gone.');
  const { model_version: version } = trace.features;
  const model = modelOf(version);
  if (model === null) throw new OperatorError(`This release has no model ${version}: use one that has it.`);
  const replayed = replay(trace, model);
  if (replayed === null) throw new OperatorError('The trace lacks what its number was made from.');
  return replayed;
}

const agrees = (trace: Trace, { belief, verdict, recommendation, disagreement }: Replayed): boolean =>
  trace.bounce_probability === belief.probability &&
  trace.confidence_interval?.[0] === belief.interval[0] &&
  trace.confidence_interval[1] === belief.interval[1] &&
  trace.verdict === verdict &&
  trace.recommendation === recommendation &&
  trace.disagreement === disagreement;

import type { Command } from 'commander';
import type { Identity } from '../../src/contract/account.ts';
import type { Trace } from '../../src/contract/traces.ts';
import { modelFrom } from '../../src/domain/calibration/model-document.ts';
import { type Model, SEEDED_MODEL } from '../../src/domain/verification/model.ts';
import { type Replayed, replay } from '../../src/domain/verification/replay.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { findModelDocument } from '../../src/storage/postgres/calibration.ts';
import { connectDatabase } from '../../src/storage/postgres/client.ts';
import { type Connection, callService, findConnection, OperatorError } from './api.ts';
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
      const replayed = await replayTrace(connection, trace);
      const isEqual = agrees(trace, replayed);
      if (json) console.log(JSON.stringify({ trace, replayed, equal: isEqual }, null, 2));
      else for (const line of printReplay(trace, replayed, isEqual)) console.log(line);
      if (!isEqual) process.exitCode = 1;
    });
}

async function replayTrace(connection: Connection, trace: Trace): Promise<Replayed> {
  if (trace.features === null)
    throw new OperatorError('The trace is older than 90 days: what its number was made from is gone.');
  const replayed = replay(trace, await findModel(connection, trace.features.model_version));
  if (replayed === null) throw new OperatorError('The trace lacks what its number was made from.');
  return replayed;
}

/** The seeded tables are in the code; a fit is in the service's Postgres alone. */
async function findModel(connection: Connection, version: string): Promise<Model> {
  if (version === SEEDED_MODEL.version) return SEEDED_MODEL;
  const { DATABASE_URL: url, DATABASE_HTTP_URL: httpUrl = null } = process.env;
  if (!url) throw new OperatorError(`Its model ${version} is in the service’s database: set DATABASE_URL.`);
  const { org } = (await callService(connection, 'GET', '/v1/me')) as Identity;
  const database = connectDatabase({ url, httpUrl });
  const document = await findModelDocument(database, org.id as Id<'org'>, version).catch(() => {
    throw new OperatorError('The database of DATABASE_URL can’t be asked.');
  });
  const model = modelFrom(document);
  if (model === null) throw new OperatorError(`The database has no model ${version} of this organisation any more.`);
  return model;
}

const agrees = (trace: Trace, { belief, words, disagreement }: Replayed): boolean =>
  trace.bounce_probability === belief.probability &&
  trace.confidence_interval?.[0] === belief.interval[0] &&
  trace.confidence_interval[1] === belief.interval[1] &&
  (words === null || (trace.verdict === words.verdict && trace.recommendation === words.recommendation)) &&
  trace.disagreement === disagreement;

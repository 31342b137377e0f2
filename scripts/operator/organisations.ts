import type { Command } from 'commander';
import type { ForgetResponse, Organisation } from '../../src/contract/operator.ts';
import { type Connection, callService, OperatorError } from './api.ts';

interface Page {
  readonly organisations: readonly Organisation[];
  readonly cursor: string | null;
}

export async function readOrganisations(connection: Connection): Promise<Organisation[]> {
  const all: Organisation[] = [];
  let cursor: string | null = null;
  do {
    const from = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = (await callService(connection, 'GET', `/operator/v1/organisations?limit=200${from}`)) as Page;
    all.push(...page.organisations);
    ({ cursor } = page);
  } while (cursor !== null);
  return all;
}

const rebuild = (connection: Connection, id: string): Promise<unknown> =>
  callService(connection, 'POST', `/operator/v1/organisations/${encodeURIComponent(id)}/rebuild`);

/** `org rebuild`: of one organisation, or of each after a restore. What can't be rebuilt holds up no other. */
export function addRebuildCommand(
  org: Command,
  connect: () => Connection,
  run: (label: string, method: string, path: string) => Promise<void>,
): void {
  org
    .command('rebuild [id]')
    .description('fill its object again from Postgres')
    .option('--all', 'of every organisation, one after the other', false)
    .action(async (id: string | undefined, { all }: { all: boolean }) => {
      if (all === (id !== undefined)) throw new OperatorError('Name an organisation, or give --all.');
      if (id !== undefined)
        return run('Rebuilding', 'POST', `/operator/v1/organisations/${encodeURIComponent(id)}/rebuild`);
      const connection = connect();
      const failed: string[] = [];
      for (const { id: each } of await readOrganisations(connection)) {
        try {
          await rebuild(connection, each);
          console.log(`✓ ${each}`);
        } catch (error) {
          if (!(error instanceof OperatorError)) throw error;
          failed.push(each);
          console.log(`✗ ${each}: ${error.message}`);
        }
      }
      if (failed.length > 0)
        throw new OperatorError(`${failed.length} could not be rebuilt: repeat it with each of them.`);
    });
}

type Forgotten = Omit<ForgetResponse, 'cursor'>;

/** A call goes through some of the organisations: follows them to the last, and adds up what was forgotten. */
export async function forgetEverywhere(connection: Connection, email: string): Promise<Forgotten> {
  const forgotten = { traces: 0, rules: 0, users: 0 };
  const [pending, incomplete]: [string[], string[]] = [[], []];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const body = { email, ...(cursor !== undefined && { cursor }) };
    const page = (await callService(connection, 'POST', '/operator/v1/forget', body)) as ForgetResponse;
    forgotten.traces += page.forgotten.traces;
    forgotten.rules += page.forgotten.rules;
    forgotten.users += page.forgotten.users;
    pending.push(...page.pending);
    incomplete.push(...page.incomplete);
    cursor = page.cursor;
  }
  return { forgotten, pending, incomplete };
}

import type { ForgetResponse } from '../../src/contract/operator.ts';
import { type Connection, callService } from './api.ts';

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

import { setTimeout as sleep } from 'node:timers/promises';
import { faker } from '@faker-js/faker';
import type { BulkJob } from '../../src/contract/bulk.ts';
import { type Connection, callService } from '../operator/api.ts';

/** Names of the local stack's test zone: every company of a file has a domain of its own below one of them. */
const ZONES = ['google-workspace.test', 'microsoft-365.test', 'bulk.test', 'proofpoint.test'];
const FREE = ['gmail.com', 'outlook.com', 'yahoo.com', 'icloud.com'];
const BAD = ['mailinator.com', 'yopmail.com', 'gmial.com', 'no-such-company.test'];

const FILES = [
  { name: 'Newsletter, autumn', purpose: 'list_hygiene', rows: 320, policy: null },
  { name: 'Trade fair scans', purpose: 'outbound', rows: 180, policy: null },
  { name: 'Waiting list', purpose: 'signup', rows: 110, policy: 'default' },
] as const;

const word = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '');
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

function row(at: number): string {
  const [first, last] = [faker.person.firstName(), faker.person.lastName()];
  const company = faker.company.name();
  const share = faker.number.float();
  const domain =
    share < 0.55
      ? `d${at % 97}.${ZONES[at % ZONES.length]}`
      : share < 0.93
        ? FREE[at % FREE.length]
        : BAD[at % BAD.length];
  const local = share < 0.08 ? 'info' : `${word(first)}.${word(last)}`;
  return [quoted(`${first} ${last}`), quoted(company), quoted(faker.location.country()), `${local}@${domain}`].join(
    ',',
  );
}

/** Cleans three files over the API, one beside the other. Resolves when all are done, with how many addresses vendors were asked about. */
export async function cleanFiles(connection: Connection): Promise<number> {
  const ask = async (method: string, path: string, body?: unknown): Promise<BulkJob> =>
    ((await callService(connection, method, `/v1/bulk/jobs${path}`, body)) as { job: BulkJob }).job;
  const ids: string[] = [];
  for (const { name, purpose, rows, policy } of FILES) {
    const { id } = await ask('POST', '', { name, purpose, ...(policy !== null && { policy_slug: policy }) });
    const csv = ['name,company,country,email', ...Array.from({ length: rows }, (_, at) => row(at))].join('\n');
    const response = await fetch(`${connection.baseUrl}/v1/bulk/jobs/${id}/upload`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${connection.key}`, 'content-type': 'text/csv' },
      body: `${csv}\n`,
    });
    if (!response.ok) throw new Error(`the upload was answered ${response.status}`);
    await response.body?.cancel();
    await ask('POST', `/${id}/start`, {});
    ids.push(id);
  }
  let asked = 0;
  for (const id of ids) {
    let job = await ask('GET', `/${id}`);
    while (['queued', 'running', 'ready'].includes(job.state)) {
      await sleep(1_000);
      job = await ask('GET', `/${id}`);
    }
    asked += job.providers_asked;
  }
  return asked;
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { DocumentedApi } from './documented-api.ts';

const POLL_MS = 50;

interface BulkJob {
  readonly job: { readonly id: string; readonly state: string };
}

/**
 * Calls every operation of the API in an order that gives each something to act on. `name` must be new to the organisation.
 * Vendors answer slowly about an address that begins with `slow`.
 */
export async function tour(api: DocumentedApi, key: string, name: string): Promise<void> {
  const call = <T>(id: string, change: Parameters<DocumentedApi['call']>[1] = {}) =>
    api.call<T>(id, { key, ...change });
  await api.call('health');
  await call('me');

  const email = `${name}@business.test`;
  const keyed = { body: { email }, headers: { 'idempotency-key': `key-${name}` } };
  const { trace_id: traceId } = await call<{ trace_id: string }>('verify', keyed);
  const again = await call<{ trace_id: string }>('verify', keyed);
  if (again.trace_id !== traceId) throw new Error('a repeat under one key is another verification');
  await call('check');
  const { trace_id: screeningId } = await call<{ trace_id: string }>('screen');
  await call('decide');
  await call('trace', { params: { trace_id: traceId } });
  await call('outcome', { body: { trace_id: traceId, outcome: 'hard_bounce', smtp_code: '550 5.1.1 User unknown' } });
  await call('events', { body: { trace_id: traceId, event: 'subscribed', at: Math.floor(Date.now() / 1000) } });

  for (const [block, unblock, list] of RULES) {
    await call(block);
    await call(list);
    await call(unblock);
  }
  await call('checkDomain');
  await call('checkAddress');

  const params = { slug: name };
  await call('putPolicy', { params });
  await call('policy', { params });
  await call('policies');
  await call('decide', { body: { email, policy_slug: name } });
  await call('experiments', { params });
  await call('simulatePolicy', { params });

  const pasted = await bulkJob(call);
  await call('pasteBulkEmails', {
    params: pasted,
    body: { emails: [email, `${name}.2@business.test`, 'x@nxdomain.test'] },
  });
  await call('estimateBulkJob', { params: pasted });
  await call('startBulkJob', { params: pasted, body: {} });
  while ((await call<BulkJob>('bulkJob', { params: pasted })).job.state !== 'done') await sleep(POLL_MS);
  await call('bulkResults', { params: pasted });
  await call('blockBulkSegment', { params: pasted });
  await call('resumeBulkJob', { params: pasted, status: 409 });
  await call('checkBulkJobAgain', { params: pasted });
  const uploaded = await bulkJob(call);
  await call('uploadBulkFile', { params: uploaded, body: `Name,E-mail\nAda,slow.${name}@business.test\n` });
  await call('changeBulkJob', { params: uploaded, body: { email_column: 'E-mail' } });
  await call('startBulkJob', { params: uploaded, body: {} });
  await call('cancelBulkJob', { params: uploaded });
  await call('deleteBulkJob', { params: uploaded });
  await call('listBulkJobs');

  for (const id of ['traces', 'screenings', 'calibration', 'segments', 'recommendations', 'usage']) await call(id);

  const at = Math.floor(Date.now() / 1000) - 60;
  await call('importOutcomes', {
    body: { outcomes: [{ email: `imported.${name}@business.test`, outcome: 'delivered', at }] },
  });
  const { connection } = await call<{ connection: { id: string } }>('createOwnConnection');
  await call('ownConnections');
  for (const id of ['changeOwnConnection', 'deleteOwnConnection']) await call(id, { params: { id: connection.id } });
  for (const id of ['losses', 'putLosses', 'simulateLosses', 'retention', 'putRetention', 'subprocessors'])
    await call(id);
  await call('switchSubprocessor', { params: { id: 'none' }, status: 404 });
  const { key: made } = await call<{ key: { id: string } }>('createOwnKey');
  await call('ownKeys');
  for (const id of ['changeOwnKey', 'rotateOwnKey', 'revokeOwnKey']) await call(id, { params: { id: made.id } });
  await call('ownOrganisation');
  await call('changeOwnOrganisation');
  for (const id of ['alerts', 'putAlerts']) await call(id);
  await call('members');
  for (const id of ['changeMember', 'removeMember']) await call(id, { params: { id: 'none' }, status: 404 });
  await call('bulkPreview', { params: pasted });
  // The key belongs to no person.
  await call('leaveOrganisation', { status: 409 });
  const body = { email: `invited.${name}@business.test`, role: 'viewer' };
  const { invitation } = await call<{ invitation: { id: string } }>('createInvitation', { body });
  await call('invitations');
  await call('withdrawInvitation', { params: { id: invitation.id } });
  const erased = { body: { email: `erased.${name}@business.test` } };
  for (const id of ['exportAddress', 'forgetAddress']) await call(id, erased);
  for (const id of ['audit', 'usageSeries', 'searchTraces']) await call(id);
  await call('screening', { params: { trace_id: screeningId } });
  // Only a person may delete an organisation.
  await call('deleteOwnOrganisation', { status: 403 });
}

const RULES = [
  ['blockDomains', 'unblockDomains', 'listBlockedDomains'],
  ['allowDomains', 'unallowDomains', 'listAllowedDomains'],
  ['blockAddresses', 'unblockAddresses', 'listBlockedAddresses'],
  ['allowAddresses', 'unallowAddresses', 'listAllowedAddresses'],
] as const;

async function bulkJob(call: <T>(id: string) => Promise<T>): Promise<{ id: string }> {
  const { job } = await call<BulkJob>('createBulkJob');
  return { id: job.id };
}

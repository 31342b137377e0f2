import { describe, expect, it } from 'vitest';
import { AlertsResponse } from '../../src/contract/access.ts';
import { newId } from '../../src/kernel/ids.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const of = await service.createOrganisation();
const call = (method: 'GET' | 'PUT', key: string, body?: object) => service.call(method, '/v1/alerts', key, body);
const alert = (share: 80 | 100, enabled: boolean, allowance = 'screenings') => ({ of: allowance, share, enabled });

describe('the alerts of an account', () => {
  it('are all on and go to every admin until it says otherwise, which its viewers may read', async () => {
    const { status, body } = await call('GET', of.keys.viewer);
    expect(status).toBe(200);
    expect(AlertsResponse.parse(body)).toEqual({
      alerts: ['verifications', 'screenings', 'enrichment', 'providers'].flatMap((allowance) => [
        alert(80, true, allowance),
        alert(100, true, allowance),
      ]),
      recipients: null,
    });
  });

  it('are switched one by one; what is left out stays, the log names the change, and Postgres keeps it', async () => {
    await call('PUT', of.keys.admin, { alerts: [alert(80, false), alert(100, false)] });
    const { body } = await call('PUT', of.keys.admin, { alerts: [alert(100, true)] });
    expect(body.alerts).toContainEqual(alert(80, false));
    expect(body.alerts).toContainEqual(alert(100, true));
    expect((await call('GET', of.keys.viewer)).body).toEqual(body);
    const { entries } = (await service.call('GET', '/v1/audit', of.keys.admin)).body;
    expect(entries[0]).toMatchObject({ action: 'organisation.changed', summary: 'alerts' });
    await service.objectOf(of.id).object.flush(null);
    const { rows } = await service.database.query('select alerts::text from organisation where id = $1', [of.id]);
    expect(JSON.parse(rows[0]?.[0] ?? '')).toEqual({ off: [{ of: 'screenings', share: 80 }], recipients: null });
    service.loseObject(of.id);
    await service.call('POST', `/operator/v1/organisations/${of.id}/rebuild`, service.operatorKey);
    expect((await call('GET', of.keys.viewer)).body).toEqual(body);
  });

  it('go to members alone', async () => {
    for (const id of ['u_00000000000000000000000009', 'someone@acme.example'])
      expect(await call('PUT', of.keys.admin, { recipients: [id] })).toMatchObject({
        status: 400,
        body: { error: { message: expect.stringContaining('`recipients[0]`') } },
      });
    expect((await call('GET', of.keys.viewer)).body.recipients).toBeNull();
    const at = { createdAt: 1, createdBy: 'operator' as const };
    const member = { userId: newId('u', 1), email: 'grace@acme.example', name: null, role: 'viewer', ...at } as const;
    await service.objectOf(of.id).object.putMember({ member, actor: 'operator' });
    const chosen = { recipients: [member.userId, member.userId] };
    expect((await call('PUT', of.keys.admin, chosen)).body.recipients).toEqual([member.userId]);
    expect((await call('PUT', of.keys.admin, { recipients: null })).body.recipients).toBeNull();
  });
});

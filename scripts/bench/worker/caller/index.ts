import { type Id, newId } from '../../../../src/kernel/ids.ts';
import type { AuthorizeRequest, OrganisationRpc, VerifyRequest } from '../../../../src/organisation/api.ts';

/** The calls of one operation, under a new id each time. */
export interface Calls {
  readonly organisationId: Id<'org'>;
  readonly of: 'ours' | 'bare';
  readonly times: number;
  readonly authorize: AuthorizeRequest;
  /** Null means a check. */
  readonly sent: Omit<VerifyRequest, 'authorize'> | null;
}

interface CallerEnv {
  readonly ORGANISATION: DurableObjectNamespace;
  readonly BARE: DurableObjectNamespace;
}

interface BareStub {
  authorize(request: object): Promise<{ readonly ok: boolean }>;
  commit(id: string, record: string): Promise<null>;
}

const LANES = 16;

async function callOnce(env: CallerEnv, { organisationId, of, authorize, sent }: Calls): Promise<boolean> {
  const id = newId(sent === null ? 'ck' : 'vr', Date.now());
  const request = { ...authorize, operationId: id, traceId: id } as const;
  if (of === 'bare') {
    const object = env.BARE.getByName(organisationId) as unknown as BareStub;
    const { ok } = await object.authorize(request);
    if (sent !== null) await object.commit(id, JSON.stringify({ ...sent, id }));
    return ok;
  }
  const object = env.ORGANISATION.getByName(organisationId) as unknown as OrganisationRpc;
  if (sent === null) return (await object.authorize(request)).ok;
  const asked = { ...sent.request, traceId: id, startedAt: Date.now(), deadlineMs: Date.now() + 3_500 };
  const answer = await object.verify({ ...sent, authorize: request, request: asked });
  return answer.ok && answer.concluded !== null;
}

export default {
  async fetch(request: Request, env: CallerEnv): Promise<Response> {
    const calls = await request.json<Calls>();
    let left = calls.times;
    const lane = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        if (!(await callOnce(env, calls))) throw new Error('refused');
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    return new Response(null, { status: 204 });
  },
};

import { type Id, newId } from '../../../../src/kernel/ids.ts';
import type { AdmitRequest, FinishRequest, OrganisationRpc } from '../../../../src/organisation/api.ts';

/** The calls of one operation, under a new id each time. */
export interface Calls {
  readonly organisationId: Id<'org'>;
  readonly of: 'ours' | 'bare';
  readonly times: number;
  readonly admit: AdmitRequest;
  readonly trace: { readonly id: string } | null;
  /** The revision under which the trace goes along with the first call; null: it has a second one. */
  readonly revision: string | null;
}

interface CallerEnv {
  readonly ORGANISATION: DurableObjectNamespace;
  readonly BARE: DurableObjectNamespace;
}

interface BareStub {
  admit(request: object): Promise<{ readonly ok: boolean }>;
  finish(id: string, record: string): Promise<null>;
}

const LANES = 16;

async function callOnce(env: CallerEnv, { organisationId, of, admit, trace, revision }: Calls): Promise<boolean> {
  const id = newId(trace === null ? 'ck' : 'vr', Date.now());
  const record = trace === null ? '' : JSON.stringify({ ...trace, id });
  const request = { ...admit, operationId: id, traceId: id } as const;
  if (of === 'bare') {
    const object = env.BARE.getByName(organisationId) as unknown as BareStub;
    const { ok } = await object.admit(request);
    if (trace !== null) await object.finish(id, record);
    return ok;
  }
  const object = env.ORGANISATION.getByName(organisationId) as unknown as OrganisationRpc;
  if (revision !== null) {
    const answer = await object.admit({ ...request, ready: { revision, record } });
    return answer.ok && answer.earlier !== null;
  }
  const { ok } = await object.admit(request);
  if (trace === null) return ok;
  const finish: FinishRequest = {
    operationId: id,
    requestId: id,
    trace: { kind: 'trace', id, record, addressHash: null },
    more: [],
    spendMicros: 0,
    providerMicros: 0,
    learnt: null,
    bodyHash: null,
    answer: null,
  };
  await object.finish(finish);
  return ok;
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

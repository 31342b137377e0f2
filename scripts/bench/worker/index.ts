import { Hono } from 'hono';
import { type AdmitRequest, PORT_VERSION } from '../../../src/domain/organisation/index.ts';
import type { OrganisationObject } from '../../../src/entrypoints/object/organisation-object.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { CHECK_ANSWER, FACT, PROBE, TRACE_RECORD, VERIFY_ANSWER } from './answers.ts';

export { OrganisationObject } from '../../../src/entrypoints/object/organisation-object.ts';
export { RulesObject } from './rules-object.ts';

interface BenchEnv {
  readonly ORGANISATION: DurableObjectNamespace<OrganisationObject>;
  readonly FACTS: KVNamespace;
}

/** What the service does with the key and the address, left out: the caller names the object and the key's hash. */
interface BareRequest {
  readonly organisation: string;
  readonly keyHash: string;
}

/**
 * The floor the service is measured against: the framework, the same calls to the same object with arguments of the same
 * size, one KV read beside the first, and an answer of the same size.
 */
const app = new Hono<{ Bindings: BenchEnv }>();

const request = (traceId: string, keyHash: string, kind: 'check' | 'verify'): AdmitRequest => ({
  v: PORT_VERSION,
  operationId: traceId,
  traceId,
  keyHash,
  role: kind === 'check' ? 'viewer' : 'member',
  operator: false,
  rate: 'verify',
  meter: kind,
  probe: PROBE,
  bodyHash: null,
  faulty: false,
});

app.post('/v1/check', async (c) => {
  const { organisation, keyHash } = await c.req.json<BareRequest>();
  const stub = c.env.ORGANISATION.getByName(organisation);
  const traceId = newId('ck', Date.now());
  const [admitted] = await Promise.all([stub.admit(request(traceId, keyHash, 'check')), c.env.FACTS.get(FACT.key)]);
  return c.json(CHECK_ANSWER, admitted.ok ? 200 : 403);
});

app.post('/v1/verify', async (c) => {
  const { organisation, keyHash } = await c.req.json<BareRequest>();
  const stub = c.env.ORGANISATION.getByName(organisation);
  const traceId = newId('vr', Date.now());
  const [admitted] = await Promise.all([stub.admit(request(traceId, keyHash, 'verify')), c.env.FACTS.get(FACT.key)]);
  const trace = { id: traceId, record: JSON.stringify(TRACE_RECORD) };
  await stub.finish({ v: PORT_VERSION, operationId: traceId, trace, spendMicros: 0, answer: null });
  return c.json(VERIFY_ANSWER, admitted.ok ? 200 : 403);
});

// oxlint-disable-next-line import/no-default-export -- how the runtime finds a Worker's handlers
export default app;

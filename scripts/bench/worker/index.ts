import { Hono } from 'hono';
import { newId } from '../../../src/kernel/ids.ts';
import type { AdmitRequest } from '../../../src/organisation/api.ts';
import { PORT_VERSION, type Versioned } from '../../../src/organisation/ports.ts';
import type { OrganisationObject } from '../../../src/runtime/organisation-object.ts';
import { CHECK_ANSWER, FACT, PROBE, TRACE_RECORD, VERIFY_ANSWER } from './answers.ts';

export { OrganisationObject } from '../../../src/runtime/organisation-object.ts';
export { HistoryObject } from './history-object.ts';
export { RulesObject } from './rules-object.ts';

interface BenchEnv {
  readonly ORGANISATION: DurableObjectNamespace<OrganisationObject>;
  readonly FACTS: KVNamespace;
  readonly FILES: R2Bucket;
}

/** What the service finds out from the key, given: the object to ask and the key's hash. */
export interface BareRequest {
  readonly organisation: string;
  readonly keyHash: string;
  readonly readsKv: boolean;
}

/**
 * The floor the service is measured against: the framework, the same calls to the same object with arguments of the same
 * size, one KV read beside the first, and an answer of the same size.
 */
const app = new Hono<{ Bindings: BenchEnv }>();

const request = (traceId: string, keyHash: string, meter: 'check' | 'verify'): Versioned<AdmitRequest> => ({
  v: PORT_VERSION,
  operationId: traceId,
  traceId,
  keyHash,
  role: meter === 'check' ? 'viewer' : 'member',
  operator: false,
  rate: 'verify',
  meter,
  probe: PROBE,
  bodyHash: null,
  faulty: false,
});

const readFact = ({ FACTS }: BenchEnv, { readsKv }: BareRequest): Promise<string | null> | null =>
  readsKv ? FACTS.get(FACT.key) : null;

app.post('/v1/check', async (c) => {
  const body = await c.req.json<BareRequest>();
  const object = c.env.ORGANISATION.getByName(body.organisation);
  const asked = object.admit(request(newId('ck', Date.now()), body.keyHash, 'check'));
  const [admitted] = await Promise.all([asked, readFact(c.env, body)]);
  return c.json(CHECK_ANSWER, admitted.ok ? 200 : 403);
});

app.post('/v1/verify', async (c) => {
  const body = await c.req.json<BareRequest>();
  const object = c.env.ORGANISATION.getByName(body.organisation);
  const id = newId('vr', Date.now());
  const asked = object.admit(request(id, body.keyHash, 'verify'));
  const [admitted] = await Promise.all([asked, readFact(c.env, body)]);
  const trace = { kind: 'trace', id, record: JSON.stringify(TRACE_RECORD) } as const;
  await object.finish({
    v: PORT_VERSION,
    operationId: id,
    requestId: id,
    trace,
    bodyHash: null,
    spendMicros: 0,
    answer: null,
  });
  return c.json(VERIFY_ANSWER, admitted.ok ? 200 : 403);
});

/** A file put into R2 and read from it, and nothing else. */
app.put('/file', async (c) => {
  await c.env.FILES.put('file', c.req.raw.body);
  return c.body(null, 201);
});

app.get('/file', async (c) => {
  const file = await c.env.FILES.get('file');
  return file === null ? c.notFound() : c.body(file.body);
});

export default app;

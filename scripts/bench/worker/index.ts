import { Hono } from 'hono';
import { bare } from './bare.ts';

export { BareObject } from './bare.ts';
export { HistoryObject } from './history-object.ts';
export { RulesObject } from './rules-object.ts';

interface FilesEnv {
  readonly FILES: R2Bucket;
}

/** The bare routes that the service is measured against. */
const app = new Hono<{ Bindings: FilesEnv }>();
app.route('/', bare);

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

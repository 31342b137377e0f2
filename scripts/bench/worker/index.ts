import { Hono } from 'hono';
import { bare } from './bare.ts';

export { BareObject } from './bare.ts';
export { HistoryObject } from './history-object.ts';

/** The bare routes that the service is measured against. */
const app = new Hono();
app.route('/', bare);

export default app;

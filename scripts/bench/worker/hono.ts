import { DurableObject } from 'cloudflare:workers';
import { Hono } from 'hono';

/** What the service's start stands beside: the framework and one route, with the same bindings. */
export class OrganisationObject extends DurableObject {}

export default new Hono().get('/health', (c) => c.json({ status: 'ok' }));

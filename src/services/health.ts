import { ROUTES } from '../contract/routes.ts';
import { openVerb } from './verb.ts';

/** Tells that the Worker is up, and whether its required settings are right. */
export const health = openVerb({ route: ROUTES.health, answer: async (deps) => deps.readHealth() });

import { FIRST_ROUTES } from '../contract/first-routes.ts';
import { openVerb } from './verb.ts';

/** Reports that the Worker is up, and whether its required settings are right. */
export const health = openVerb({ route: FIRST_ROUTES.health, answer: async (deps) => deps.readHealth() });

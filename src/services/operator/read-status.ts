import { ROUTES } from '../../contract/routes.ts';
import { verb } from '../verb.ts';
import { readStatus as statusOf } from './status.ts';

export const readStatus = verb({ route: ROUTES.status, run: async ({ deps }) => statusOf(deps) });

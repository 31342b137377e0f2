import { ROUTES } from '../../contract/routes.ts';
import { verb } from '../verb.ts';
import { readServiceStatus } from './service-status.ts';

export const readStatus = verb({ route: ROUTES.status, run: ({ deps }) => readServiceStatus(deps) });

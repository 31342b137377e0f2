import { ROUTES } from '../../contract/routes.ts';
import { readCursor } from '../paging.ts';
import { verb } from '../verb.ts';
import { readServiceStatus } from './service-status.ts';

export const readStatus = verb({
  route: ROUTES.status,
  parse: ({ query: { limit, cursor } }) => ({ limit, before: readCursor(cursor, 'org') }),
  run: ({ deps }, page) => readServiceStatus(deps, page),
});

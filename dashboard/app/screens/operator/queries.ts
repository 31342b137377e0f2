import { queryOptions } from '@tanstack/react-query';
import type { Operations } from '../../api/operations.ts';
import { callAuth } from '../../api/session.ts';

/** It asks every organisation's object, so that it is read again only where a person asks for it. */
export const operationsQuery = queryOptions({
  queryKey: ['operations'],
  queryFn: () => callAuth<Operations>('GET', '/operations'),
  staleTime: 60_000,
  refetchOnWindowFocus: false,
});

import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './error.ts';

const RETRIES = 2;

/** Retrying helps against outages and overload, never against a refusal. */
const isWorthAnotherTry = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status === 429 || error.status >= 500;

/** The session may have ended in another tab or by an admin, so the page asks who is signed in. */
function noticeEnd(error: unknown): void {
  if (error instanceof ApiError && (error.status === 401 || error.status === 403))
    void queryClient.invalidateQueries({ queryKey: ['me'] });
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => (query.queryKey[0] === 'me' ? undefined : noticeEnd(error)),
  }),
  mutationCache: new MutationCache({ onError: noticeEnd }),
  defaultOptions: {
    // An offline write fails at once and never runs later by surprise.
    mutations: { networkMode: 'always' },
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < RETRIES && isWorthAnotherTry(error),
    },
  },
});

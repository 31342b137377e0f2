import { useQuery } from '@tanstack/react-query';
import { callAuth } from '../api/session.ts';

/** Where programs reach the API; null: nothing says it. */
function useKnownUrl(): string | null {
  const { data } = useQuery({
    queryKey: ['api-url'],
    queryFn: () => callAuth<{ readonly url: string | null }>('GET', '/api'),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data?.url ?? null;
}

/** For samples of code: a placeholder where nothing says it. */
export const useApiUrl = (): string => useKnownUrl() ?? 'https://YOUR_API';

/** The documentation, which the API has beside itself; null: nothing says where. */
export function useDocsUrl(): string | null {
  const url = useKnownUrl();
  return url === null ? null : `${url}/docs/`;
}

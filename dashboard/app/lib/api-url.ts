import { useQuery } from '@tanstack/react-query';
import { callAuth } from '../api/session.ts';

/** The API's base URL for programs; null if unknown. */
function useKnownUrl(): string | null {
  const { data } = useQuery({
    queryKey: ['api-url'],
    queryFn: () => callAuth<{ readonly url: string | null }>('GET', '/api'),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data?.url ?? null;
}

/** For code samples, with a placeholder if unknown. */
export const useApiUrl = (): string => useKnownUrl() ?? 'https://YOUR_API';

/** The documentation's URL, on the API's host; null if unknown. */
export function useDocsUrl(): string | null {
  const url = useKnownUrl();
  return url === null ? null : `${url}/docs/`;
}

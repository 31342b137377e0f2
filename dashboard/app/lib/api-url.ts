import { useQuery } from '@tanstack/react-query';
import { callAuth } from '../api/session.ts';

/** Where programs reach the API, for samples of code; a placeholder where nothing says it. */
export function useApiUrl(): string {
  const { data } = useQuery({
    queryKey: ['api-url'],
    queryFn: () => callAuth<{ readonly url: string | null }>('GET', '/api'),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data?.url ?? 'https://YOUR_API';
}

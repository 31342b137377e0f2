import { useNavigate, useSearch } from '@tanstack/react-router';

type Search = Record<string, string | undefined>;

/** The filters of a screen. They stand in its address, so that a link and the back button keep them. */
export function useFilters(): readonly [Search, (change: Search) => void] {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (next: Search) =>
    void navigate({ to: '.', search: ((old: Search) => ({ ...old, ...next })) as never, replace: true });
  return [search, change];
}

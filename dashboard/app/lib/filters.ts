import { useDebouncedCallback } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';

export type Search = Readonly<Record<string, string | undefined>>;

/**
 * The filters of a screen. They stand in its address, so that a link and a reload keep them. A change that `isStep` is one that the
 * back button takes back.
 */
export function useFilters(): readonly [Search, (change: Search, isStep?: boolean) => void] {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (next: Search, isStep = false) =>
    void navigate({
      to: '.',
      search: ((old: Search) => ({ ...old, ...next })) as never,
      replace: !isStep,
      resetScroll: false,
    });
  return [search, change];
}

/** A filter's value in the URL; undefined if missing or unknown. */
export const valueOf = <const V extends string>(search: Search, name: string, values: readonly V[]): V | undefined =>
  values.find((value) => value === search[name]);

/** Names of the filters that have a value. */
export const setOf = (filters: Search): string[] => Object.keys(filters).filter((name) => filters[name] !== undefined);

const PAUSE_MS = 300;

/**
 * A filter by text: what is typed, and the function that takes it. The address has it once the person pauses, and never a text that is
 * not `isApplied`. Where something else changes the address, the text follows.
 */
export function useTypedFilter(name: string): readonly [string, (text: string, isApplied?: boolean) => void] {
  const [search, change] = useFilters();
  const applied = search[name] ?? '';
  const [typed, setTyped] = useState(applied);
  const [seen, setSeen] = useState(applied);
  const [sent, setSent] = useState(applied);
  const apply = useDebouncedCallback((text: string) => {
    setSent(text);
    change({ [name]: text || undefined });
  }, PAUSE_MS);
  if (applied !== seen) {
    setSeen(applied);
    setSent(applied);
    if (applied !== sent) setTyped(applied);
  }
  const type = (text: string, isApplied = true) => {
    setTyped(text);
    if (isApplied) apply(text.trim());
    else apply.cancel();
  };
  return [typed, type];
}

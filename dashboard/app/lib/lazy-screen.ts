import { createElement, type ReactNode, use, useSyncExternalStore } from 'react';
import { queryClient } from '../api/query-client.ts';

interface ScreenModule {
  readonly default: () => ReactNode;
}

/** A screen's file could not be loaded: the page is offline, or a new release has other file names. */
export class ScreenMissing extends Error {}

type Load = () => Promise<ScreenModule>;

/** Screens whose file failed to load with a network there, and has not loaded since. */
const missing = new Set<Load>();
const listeners = new Set<() => void>();
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const tell = (): void => {
  for (const listener of listeners) listener();
};

/** Whether a file of this release is gone: the bar above the page offers the new one. */
export const useOutdated = (): boolean => useSyncExternalStore(subscribe, () => missing.size > 0);

/**
 * A screen that is loaded when it is opened, or pointed at. A file that fails to load is asked for again with the next attempt;
 * only a screen that is opened shows the failure.
 */
export function lazyScreen(load: Load): (() => ReactNode) & { preload: () => Promise<void> } {
  let loading: Promise<ScreenModule> | null = null;
  let hasFailed = false;
  const request = (): Promise<ScreenModule> => {
    if (loading === null || hasFailed) {
      hasFailed = false;
      loading = load().then(
        (loaded) => {
          missing.delete(load);
          tell();
          return loaded;
        },
        () => {
          hasFailed = true;
          if (navigator.onLine) missing.add(load);
          tell();
          throw new ScreenMissing();
        },
      );
    }
    return loading;
  };
  const Screen = (): ReactNode => createElement(use(loading ?? request()).default);
  Screen.preload = (): Promise<void> =>
    request().then(
      () => undefined,
      () => undefined,
    );
  return Screen;
}

const RELOADED = 'reloaded-for';

/**
 * Reloads the page for a screen that is missing: once for a URL, and not while a write is under way. Unsaved work was asked about
 * before the screen was opened. False: it reloaded before, or has to wait.
 */
export function reloadFor(place: string): boolean {
  if (!navigator.onLine || queryClient.isMutating() > 0 || sessionStorage.getItem(RELOADED) === place) return false;
  sessionStorage.setItem(RELOADED, place);
  window.location.reload();
  return true;
}

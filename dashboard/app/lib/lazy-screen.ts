import { createElement, type ReactNode, use, useSyncExternalStore } from 'react';
import { queryClient } from '../api/query-client.ts';

interface ScreenModule {
  readonly default: () => ReactNode;
}

/** A screen's file could not be loaded: the page is offline, or a new release has other file names. */
export class ScreenMissing extends Error {}

let isOutdated = false;
const listeners = new Set<() => void>();
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Whether a file of this release is gone: the bar above the page offers the new one. */
export const useOutdated = (): boolean => useSyncExternalStore(subscribe, () => isOutdated);

function missing(): never {
  isOutdated ||= navigator.onLine;
  for (const listener of listeners) listener();
  throw new ScreenMissing();
}

/**
 * A screen that is loaded when it is opened, or pointed at. A file that fails to load is asked for again with the next attempt;
 * only a screen that is opened shows the failure.
 */
export function lazyScreen(load: () => Promise<ScreenModule>): (() => ReactNode) & { preload: () => Promise<void> } {
  let loading: Promise<ScreenModule> | null = null;
  let hasFailed = false;
  const request = (): Promise<ScreenModule> => {
    if (loading === null || hasFailed) {
      hasFailed = false;
      loading = load().catch(missing);
      loading.catch(() => {
        hasFailed = true;
      });
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

import { act, cleanup, render, screen } from '@testing-library/react';
import { Component, type ReactNode, Suspense } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { lazyScreen, reloadFor, ScreenMissing, useOutdated } from '../app/lib/lazy-screen.ts';
import { queryClient } from '../app/api/query-client.ts';

class Boundary extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state = { error: null };
  static getDerivedStateFromError = (error: unknown) => ({ error });
  override render(): ReactNode {
    const { error } = this.state;
    return error === null ? this.props.children : String((error as object) instanceof ScreenMissing && 'missing');
  }
}
const open = async (Screen: () => ReactNode): Promise<void> => {
  await act(async () =>
    render(
      <Boundary>
        <Suspense fallback="waiting">
          <Screen />
        </Suspense>
      </Boundary>,
    ),
  );
};
const Outdated = () => String(useOutdated());
const reload = vi.fn<() => void>();
let onLine = true;

beforeEach(() => {
  onLine = true;
  reload.mockClear();
  sessionStorage.clear();
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => onLine);
  vi.spyOn(window.location, 'reload').mockImplementation(reload);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

describe('the bar of a new release', () => {
  it('goes once the file that was missing loads: the network or the server was away', async () => {
    let isAway = true;
    const Screen = lazyScreen(async () => {
      if (isAway) throw new Error('503');
      return { default: () => 'the screen' };
    });
    await open(Outdated);
    await act(() => Screen.preload());
    expect(screen.getByText('true')).toBeTruthy();
    isAway = false;
    await act(() => Screen.preload());
    expect(screen.getByText('false')).toBeTruthy();
  });
});

describe('a screen that is loaded when it is opened', () => {
  it('changes nothing when its file fails to load while it is pointed at, and is asked for again when it is opened', async () => {
    onLine = false;
    let tries = 0;
    const Screen = lazyScreen(async () => {
      tries += 1;
      if (tries === 1) throw new Error('offline');
      return { default: () => 'the screen' };
    });
    await Screen.preload();
    expect(reload).not.toHaveBeenCalled();
    await Screen.preload();
    await open(Screen);
    screen.getByText('the screen');
    expect(tries).toBe(2);
  });

  it('shows that its file is missing, and offers the new release, without a reload of its own', async () => {
    const Screen = lazyScreen(async () => {
      throw new Error('404');
    });
    await Screen.preload();
    await open(Screen);
    screen.getByText('missing');
    cleanup();
    await open(Outdated);
    expect(screen.getByText('true')).toBeTruthy();
    expect(reload).not.toHaveBeenCalled();
  });
});

describe('a reload for a screen that is missing', () => {
  it('happens once a place', () => {
    expect([reloadFor('/a'), reloadFor('/a'), reloadFor('/b')]).toEqual([true, false, true]);
    expect(reload).toHaveBeenCalledTimes(2);
  });

  it('waits for a network, and for a write that is under way', () => {
    onLine = false;
    expect(reloadFor('/a')).toBe(false);
    onLine = true;
    vi.spyOn(queryClient, 'isMutating').mockReturnValue(1);
    expect(reloadFor('/a')).toBe(false);
    expect(reload).not.toHaveBeenCalled();
  });
});

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import { useMutation } from '../app/lib/mutation.ts';

function mounted(send: (what: string) => Promise<string>) {
  const client = new QueryClient({ defaultOptions: { mutations: { retry: false } } });
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  return renderHook(() => useMutation({ mutationFn: send }), { wrapper }).result;
}

describe('what a button sends', () => {
  it('goes out once under a double click, and again once the answer is there', async () => {
    const sent: string[] = [];
    const result = mounted(async (what) => {
      sent.push(what);
      return what;
    });
    act(() => {
      result.current.mutate('one');
      result.current.mutate('one again');
    });
    await waitFor(() => expect(result.current.data).toBe('one'));
    expect(sent).toEqual(['one']);
    act(() => result.current.mutate('two'));
    await waitFor(() => expect(result.current.data).toBe('two'));
  });

  it('can be sent again after it was refused', async () => {
    let tries = 0;
    const result = mounted(async () => {
      tries += 1;
      if (tries === 1) throw new Error('refused');
      return 'done';
    });
    act(() => result.current.mutate('x'));
    await waitFor(() => expect(result.current.isError).toBe(true));
    act(() => result.current.mutate('x'));
    await waitFor(() => expect(result.current.data).toBe('done'));
  });
});

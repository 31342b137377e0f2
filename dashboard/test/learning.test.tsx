import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openPage } from './open-page.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const segmentOf = (n: number) => ({
  key: { domain: `d${n}.example` },
  exposures: 50 + n,
  events: 5,
  rate: 0.1,
  ci: [0.05, 0.2],
});
const SEGMENTS = {
  metric: 'subscribed',
  window_days: 30,
  computed_at: 1_790_000_000,
  segments: Array.from({ length: 140 }, (_, n) => segmentOf(n)),
  too_few: [],
  join: { exact: 1, by_email: 0, unmatched: 0 },
};

describe('segments', () => {
  it('are drawn 25 at first and a hundred more with each press', async () => {
    const user = userEvent.setup({ delay: null });
    await openPage('learning', 'viewer', ({ path }) => (path === '/v1/segments' ? SEGMENTS : undefined));
    await screen.findByRole('img', { name: 'Rates of 25 segments with their intervals' });
    screen.getByText('25 of 140');
    await user.click(screen.getByRole('button', { name: 'Show more' }));
    await screen.findByRole('img', { name: 'Rates of 125 segments with their intervals' });
    await user.click(screen.getByRole('button', { name: 'Show more' }));
    await screen.findByRole('img', { name: 'Rates of 140 segments with their intervals' });
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull());
  });
});

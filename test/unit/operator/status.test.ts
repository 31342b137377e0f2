import { afterEach, expect, it, vi } from 'vitest';
import { EXAMPLES } from '../../../scripts/openapi/examples.ts';
import { readStatus } from '../../../scripts/operator/status.ts';
import type { StatusResponse } from '../../../src/contract/operator.ts';

afterEach(() => void vi.unstubAllGlobals());

const ONE = EXAMPLES.status as StatusResponse;
const [ROW] = ONE.organisations;

it('joins the pages of organisations, and names what was missing on any page', async () => {
  const of = (page: Partial<StatusResponse>, totals: Partial<StatusResponse['totals']>): StatusResponse => ({
    ...ONE,
    ...page,
    totals: { ...ONE.totals, dead_letters: 3, outbox_rows: 5, ...totals },
  });
  const pages: Record<string, StatusResponse> = {
    '': of({ cursor: 'org_b', unread: ['Postgres'], cron: [] }, { outbox_age_s: 9 }),
    '?cursor=org_b': of({ cursor: 'org_c', unread: ['Postgres'] }, { outbox_age_s: 2 }),
    '?cursor=org_c': of({ cursor: null, unreachable: ['org_d'] }, { outbox_age_s: null }),
  };
  vi.stubGlobal('fetch', async (url: string) => Response.json(pages[new URL(url).search]));
  expect(await readStatus({ baseUrl: 'https://service.test', key: 'key' })).toEqual({
    ...ONE,
    unread: ['Postgres'],
    totals: { ...ONE.totals, organisations: 3, dead_letters: 3, outbox_rows: 15, outbox_age_s: 9 },
    organisations: [ROW, ROW, ROW],
    unreachable: ['org_d'],
  });
});

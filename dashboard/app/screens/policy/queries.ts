import { queryOptions } from '@tanstack/react-query';
import { type ApiClient, answerOf, apiOf } from '../../api/client.ts';
import type { Policy, PolicyDocument, Simulation } from '../../api/schema.ts';

/** Prefix of all policy query keys, invalidated by a save. */
export const policiesKey = (organisationId: string) => [organisationId, 'policies'] as const;

export const policyQuery = (organisationId: string, slug: string) =>
  queryOptions({
    queryKey: [...policiesKey(organisationId), slug, 'newest'],
    queryFn: async () =>
      (await answerOf(apiOf(organisationId).GET('/v1/policies/{slug}', { params: { path: { slug } } }))).policy,
  });

export const versionQuery = (organisationId: string, slug: string, version: number) =>
  queryOptions({
    queryKey: [organisationId, 'policy-version', slug, version],
    queryFn: async () => {
      const params = { path: { slug }, query: { version } };
      return (await answerOf(apiOf(organisationId).GET('/v1/policies/{slug}', { params }))).policy;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The document of a policy without its version's members. Unknown members stay. */
export const documentOf = ({
  slug: _slug,
  version: _version,
  created_at: _createdAt,
  created_by: _createdBy,
  ...document
}: Policy): PolicyDocument => document;

/** Saves if `version` is still current. */
export const savePolicy = async (api: ApiClient, slug: string, version: number, document: PolicyDocument) =>
  (
    await answerOf(
      api.PUT('/v1/policies/{slug}', {
        params: { path: { slug } },
        headers: { 'if-match': `"${version}"` },
        body: document,
      }),
    )
  ).policy;

export const WINDOW_DAYS = 30;

export const simulate = (
  api: ApiClient,
  slug: string,
  document: PolicyDocument,
  windowDays = WINDOW_DAYS,
): Promise<Simulation> =>
  answerOf(
    api.POST('/v1/policies/{slug}/simulate', {
      params: { path: { slug } },
      body: { policy: { ...document }, window_days: windowDays },
    }),
  );

export const sharesQuery = (organisationId: string, policy: Policy) =>
  queryOptions({
    queryKey: [organisationId, 'policy-shares', policy.slug, policy.version],
    queryFn: () => simulate(apiOf(organisationId), policy.slug, documentOf(policy)),
    staleTime: 300_000,
  });

export const experimentsQuery = (organisationId: string, slug: string, metric: string) =>
  queryOptions({
    queryKey: [organisationId, 'experiments', slug, metric],
    queryFn: () =>
      answerOf(
        apiOf(organisationId).GET('/v1/policies/{slug}/experiments', { params: { path: { slug }, query: { metric } } }),
      ),
  });

const NUMBERS_READ = 600;
const PAGE = 200;

/** Bounce risks of the newest traces, for the histogram behind the limits. */
export const numbersQuery = (organisationId: string) =>
  queryOptions({
    queryKey: [organisationId, 'numbers'],
    queryFn: async () => {
      const numbers: number[] = [];
      for (let cursor: string | null | undefined; numbers.length < NUMBERS_READ && cursor !== null;) {
        const query = { limit: PAGE, ...(cursor !== undefined && { cursor }) };
        const page = await answerOf(apiOf(organisationId).GET('/v1/traces', { params: { query } }));
        numbers.push(...page.traces.map(({ bounce_probability: number }) => number));
        cursor = page.cursor;
      }
      return numbers;
    },
    staleTime: 300_000,
  });

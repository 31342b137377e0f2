import * as z from 'zod';
import type { Company, Person } from '../../contract/decision.ts';
import { countryCode } from '../../domain/policy/countries.ts';
import { block } from '../exchange.ts';
import {
  domainName,
  type EnrichmentAdapter,
  employeesRange,
  isOfDomain,
  knownCompany,
  seniority,
  text,
} from './adapter.ts';

/** https://hunter.io/api-documentation/v2#enrichment */

const CompanyData = z.object({
  name: text,
  domain: domainName,
  category: block({ industry: text, industryGroup: text, sector: text }),
  geo: block({ country: text, countryCode: text }),
  // The range is text; the Clearbit-compatible form has a head count and the range beside it.
  metrics: block({ employees: z.union([z.string(), z.number()]).nullable().catch(null), employeesRange: text }),
});

const PersonData = z.object({ employment: block({ seniority: text, role: text }) });

/** The shape of `data`, by what was asked for. */
const ANSWERS = {
  company: z.object({ data: CompanyData }).transform(({ data }) => ({ company: data, person: null })),
  person: z.object({ data: PersonData }).transform(({ data }) => ({ company: null, person: data })),
  both: z
    .object({
      data: z.object({ company: CompanyData.nullable().catch(null), person: PersonData.nullable().catch(null) }),
    })
    .transform(({ data }) => data),
} as const;

const PATHS = { company: '/v2/companies/find', person: '/v2/people/find', both: '/v2/combined/find' } as const;

/**
 * The Growth plan's credit, $149 a month for 10,000 (August 2026): "1 enrichment credit, only charged if person or
 * company data is found" (Hunter's own MCP server), also for the combined call.
 */
const CREDIT_MICROS = 14_900;

export const hunter: EnrichmentAdapter = {
  id: 'hunter',
  origin: 'https://api.hunter.io',
  prices: { company: CREDIT_MICROS, person: CREDIT_MICROS, both: CREDIT_MICROS },
  request: ({ wants, domain, email }, apiKey) => ({
    path: PATHS[wants],
    query: wants === 'company' ? { domain } : { email },
    headers: { 'x-api-key': apiKey },
  }),
  // 403 is the limit per second or minute, 429 the plan's credits; an invalid key is 401.
  statusOverrides: { 403: 'rate_limited', 429: 'no_credit' },
  read(reply, { wants, domain }) {
    const parsed = ANSWERS[wants].safeParse(reply);
    if (!parsed.success) return null;
    const { company, person } = parsed.data;
    return { company: company && readCompany(company, domain, wants === 'both'), person: person && readPerson(person) };
  },
};

/** Null for another domain's company: asked by address, the vendor may name the company of a later job. */
function readCompany(
  { name, domain, category, geo, metrics }: z.infer<typeof CompanyData>,
  asked: string,
  byAddress: boolean,
) {
  if (byAddress && domain !== null && !isOfDomain(asked, domain)) return null;
  return knownCompany({
    name,
    domain: domain ?? asked,
    industry: category?.industry ?? category?.industryGroup ?? category?.sector ?? null,
    employees_range: employeesRange(metrics?.employees ?? null) ?? employeesRange(metrics?.employeesRange ?? null),
    country: countryCode(geo?.countryCode ?? null) ?? countryCode(geo?.country ?? null),
  } satisfies Company);
}

/** `role` is a department, and `executive` is that of leaders: for a founder it is often the only value. */
function readPerson({ employment }: z.infer<typeof PersonData>): Person | null {
  const rank = seniority([employment?.seniority ?? null, employment?.role === 'executive' ? 'executive' : null]);
  return rank === null ? null : { seniority: rank };
}

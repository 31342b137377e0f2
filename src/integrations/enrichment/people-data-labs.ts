import * as z from 'zod';
import type { Company } from '../../contract/decision.ts';
import { countryCode } from '../../domain/policy/countries.ts';
import type { EnrichmentQuestion } from '../../domain/policy/enrichment.ts';
import { block } from '../exchange.ts';
import {
  count,
  domainName,
  type EnrichmentAdapter,
  employeesRange,
  isOfDomain,
  knownCompany,
  seniority,
  text,
  texts,
} from './adapter.ts';

/** https://docs.peopledatalabs.com/docs/reference-company-enrichment-api and …/reference-person-enrichment-api */

/** A company is the reply itself, a person is under `data`. `status` repeats the status of HTTP. */
const CompanyAnswer = z.object({
  status: z.literal(200),
  name: text,
  display_name: text,
  website: domainName,
  industry: text,
  industry_v2: text,
  size: text,
  employee_count: count,
  location: block({ country: text }),
});

const PersonAnswer = z.object({
  status: z.literal(200),
  data: z.object({
    job_title_levels: texts,
    job_company_name: text,
    job_company_website: domainName,
    job_company_industry: text,
    job_company_size: text,
    job_company_location_country: text,
  }),
});
type Job = z.infer<typeof PersonAnswer>['data'];

/** Limits the reply to these fields of a person. */
const PERSON_FIELDS = Object.keys(PersonAnswer.shape.data.shape).join(',');

export const peopleDataLabs: EnrichmentAdapter = {
  id: 'pdl',
  origin: 'https://api.peopledatalabs.com',
  // A credit of the smallest monthly plan. A person's record includes the company of the job.
  prices: { company: 100_000, person: 280_000, both: 280_000 },
  request: ({ wants, domain, email }, apiKey) => ({
    path: wants === 'company' ? '/v5/company/enrich' : '/v5/person/enrich',
    query:
      wants === 'company'
        ? { website: domain }
        : {
            email,
            data_include: PERSON_FIELDS,
            // A record without these fields is not a match, so it is not billed.
            required: wants === 'person' ? 'job_title_levels' : 'job_title_levels OR job_company_name',
          },
    headers: { 'x-api-key': apiKey },
  }),
  statusOverrides: {},
  read(reply, question) {
    if (question.wants === 'company') {
      const parsed = CompanyAnswer.safeParse(reply);
      return parsed.success ? { company: readCompany(parsed.data, question.domain), person: null } : null;
    }
    const parsed = PersonAnswer.safeParse(reply);
    if (!parsed.success) return null;
    const rank = seniority(parsed.data.data.job_title_levels);
    return {
      company: question.wants === 'both' ? readJob(parsed.data.data, question) : null,
      person: rank === null ? null : { seniority: rank },
    };
  },
};

const readCompany = (answer: z.infer<typeof CompanyAnswer>, asked: string): Company | null =>
  knownCompany({
    name: answer.display_name ?? answer.name,
    domain: answer.website ?? asked,
    industry: answer.industry ?? answer.industry_v2,
    employees_range: employeesRange(answer.size) ?? employeesRange(answer.employee_count),
    country: countryCode(answer.location?.country ?? null),
  });

/** The company of the person's job, if its domain is the address's: many people keep an address longer than a job. */
function readJob(job: Job, { domain }: EnrichmentQuestion): Company | null {
  const website = job.job_company_website;
  if (website === null || !isOfDomain(domain, website)) return null;
  return knownCompany({
    name: job.job_company_name,
    domain: website,
    industry: job.job_company_industry,
    employees_range: employeesRange(job.job_company_size),
    country: countryCode(job.job_company_location_country),
  });
}

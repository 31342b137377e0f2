import type { CheckResult } from '../../src/contract/verification.ts';
import type { Client, DropIn } from '../src/client.ts';

/** What every function of the client sends and returns, in one table. */

export const EMAIL = 'zoë.o’neil@bücher.example';

export const CHECKED: CheckResult = {
  email: EMAIL,
  domain: 'xn--bcher-kva.example',
  passes: true,
  disposable: false,
  suspected: false,
  reason: null,
  reasons: [],
  checks: { syntax: 'pass', mx: 'pass', disposable: 'pass' },
  esp: 'hosted_suite_a',
  email_type: 'business',
  mx_hosts: ['mx.example'],
  mx_provider: 'google',
  latency_ms: 3,
  trace_id: 'ck_1',
};

const STANDING = {
  domain: 'a.example',
  status: 'none',
  org_rule: null,
  note: null,
  matched_domain: null,
  disposable: false,
  suspected: false,
};

const JOB = { id: 'bj_1', state: 'done' };
const ADDED = { rule: 'block', added: 1, moved: 0, unchanged: 0, total: 1, rejected: [] };
const REMOVED = { rule: 'block', removed: 1, not_found: 0, total: 0, rejected: [] };
const LIST = { rule: 'block', entries: [], count: 0, cursor: null };

export interface DropInCase {
  readonly name: DropIn;
  readonly call: (client: Client) => Promise<unknown>;
  readonly requests: readonly { readonly path: string; readonly body: unknown }[];
  readonly answer: unknown;
  readonly result: unknown;
  readonly fallback: unknown;
}

const check = { path: '/v1/check', body: { email: EMAIL } };
const address = { path: '/v1/addresses/check', body: { email: EMAIL } };
const domains = { path: '/v1/domains/check', body: { domain: 'bücher.example' } };

export const DROP_INS: readonly DropInCase[] = [
  {
    name: 'isValidEmail',
    call: (client) => client.isValidEmail(EMAIL),
    requests: [check],
    answer: { ...CHECKED, passes: false, reason: 'no_mx', reasons: ['no_mx'] },
    result: false,
    fallback: true,
  },
  {
    name: 'isDisposableEmail',
    call: (client) => client.isDisposableEmail(EMAIL),
    requests: [domains, address],
    answer: { ...STANDING, status: 'disposable', disposable: true },
    result: true,
    fallback: false,
  },
  {
    name: 'isDomainDisposable',
    call: (client) => client.isDomainDisposable('bücher.example'),
    requests: [domains],
    answer: { ...STANDING, status: 'blocked', org_rule: 'block' },
    result: true,
    fallback: false,
  },
  {
    name: 'getEmailProvider',
    call: (client) => client.getEmailProvider(EMAIL),
    requests: [check],
    answer: CHECKED,
    result: 'google',
    fallback: null,
  },
  {
    name: 'isBusinessEmail',
    call: (client) => client.isBusinessEmail(EMAIL),
    requests: [check],
    answer: { ...CHECKED, email_type: 'free' },
    result: false,
    fallback: true,
  },
  {
    name: 'emailType',
    call: (client) => client.emailType(EMAIL),
    requests: [check],
    answer: { ...CHECKED, email_type: 'relay' },
    result: 'relay',
    fallback: 'unknown',
  },
];

export interface AnswerCase {
  readonly name: Exclude<keyof Client, DropIn>;
  readonly call: (client: Client) => Promise<unknown>;
  readonly request: { readonly method: string; readonly path: string; readonly body?: unknown };
  readonly answer: unknown;
  /** Where it is not the answer itself. */
  readonly result?: unknown;
  /** Sent again after a fault: it changes nothing, or carries an Idempotency-Key. */
  readonly repeat: 'safe' | 'keyed' | 'never';
}

const changes = (
  [add, remove, list]: readonly [keyof Client, keyof Client, keyof Client],
  path: string,
  field: 'domains' | 'emails',
): AnswerCase[] => {
  const entry = field === 'domains' ? 'a.example' : EMAIL;
  const call = (name: keyof Client, ...args: readonly unknown[]) => ({
    name: name as AnswerCase['name'],
    call: (client: Client) => (client[name] as (...args: readonly unknown[]) => Promise<unknown>)(...args),
  });
  return [
    {
      ...call(add, [entry], 'a note'),
      request: { method: 'POST', path, body: { [field]: [entry], note: 'a note' } },
      answer: ADDED,
      repeat: 'never',
    },
    {
      ...call(remove, [entry]),
      request: { method: 'DELETE', path, body: { [field]: [entry] } },
      answer: REMOVED,
      repeat: 'never',
    },
    {
      ...call(list, { limit: 20, cursor: 'a+b/c=' }),
      request: { method: 'GET', path: `${path}?limit=20&cursor=a%2Bb%2Fc%3D` },
      answer: LIST,
      repeat: 'safe',
    },
  ];
};

export const ANSWERS: readonly AnswerCase[] = [
  {
    name: 'checkEmail',
    call: (client) => client.checkEmail(EMAIL),
    request: { method: 'POST', ...check },
    answer: CHECKED,
    repeat: 'safe',
  },
  {
    name: 'verifyEmail',
    call: (client) => client.verifyEmail(EMAIL, { purpose: 'signup' }),
    request: { method: 'POST', path: '/v1/verify', body: { email: EMAIL, context: { purpose: 'signup' } } },
    answer: { email: EMAIL, verdict: 'valid', trace_id: 'vr_1' },
    repeat: 'keyed',
  },
  {
    name: 'screenEmail',
    call: (client) => client.screenEmail(EMAIL, 'Zoë O’Neil'),
    request: { method: 'POST', path: '/v1/screen', body: { email: EMAIL, name: 'Zoë O’Neil' } },
    answer: { email: EMAIL, trace_id: 'sc_1' },
    repeat: 'keyed',
  },
  {
    name: 'checkDomain',
    call: (client) => client.checkDomain('a.example'),
    request: { method: 'POST', path: '/v1/domains/check', body: { domain: 'a.example' } },
    answer: STANDING,
    repeat: 'safe',
  },
  {
    name: 'checkAddress',
    call: (client) => client.checkAddress(EMAIL),
    request: { method: 'POST', path: '/v1/addresses/check', body: { email: EMAIL } },
    answer: { org_rule: null, note: null, display: 'z•••@bücher.example', domain_rule: null, effective: 'none' },
    repeat: 'safe',
  },
  ...changes(['blockDomains', 'unblockDomains', 'listBlockedDomains'], '/v1/domains/blocklist', 'domains'),
  ...changes(['allowDomains', 'unallowDomains', 'listAllowedDomains'], '/v1/domains/allowlist', 'domains'),
  ...changes(['blockAddresses', 'unblockAddresses', 'listBlockedAddresses'], '/v1/addresses/blocklist', 'emails'),
  ...changes(['allowAddresses', 'unallowAddresses', 'listAllowedAddresses'], '/v1/addresses/allowlist', 'emails'),
  {
    name: 'verifyList',
    call: (client) => client.verifyList('email\n', { name: 'May' }),
    request: { method: 'POST', path: '/v1/bulk/jobs', body: { name: 'May' } },
    answer: { job: JOB },
    result: { jobId: 'bj_1', job: JOB },
    repeat: 'never',
  },
  {
    name: 'waitForList',
    call: (client) => client.waitForList('bj_1'),
    request: { method: 'GET', path: '/v1/bulk/jobs/bj_1' },
    answer: { job: JOB },
    result: JOB,
    repeat: 'safe',
  },
];

import { describe, expect, it } from 'vitest';
import { faultsOf, requireSettings } from '../../../scripts/deployment/settings.ts';
import { checkSettings, unusedSettings } from '../../../scripts/stack/settings.ts';

const SECRETS = ['DATABASE_URL', 'SERVICE_SECRET', 'HASH_SECRET'];
const VARS = { PRIMARY_REGION: 'enam', DOH_URLS: 'https://one.example/q,https://two.example/q' };

describe('what is known before a deployment', () => {
  it.each([
    { what: 'nothing wrong', vars: VARS, secrets: SECRETS, named: [] },
    { what: 'a secret whose value is not shown', vars: VARS, secrets: [...SECRETS, 'KICKBOX_API_KEY'], named: [] },
    { what: 'a wrong variable', vars: { ...VARS, PRIMARY_REGION: 'x' }, secrets: SECRETS, named: ['PRIMARY_REGION'] },
    {
      what: 'half a part',
      vars: { MODEL_BACKEND: 'openai', MODEL_NAME: 'x' },
      secrets: SECRETS,
      named: ['MODEL_BASE_URL'],
    },
    {
      what: 'the half that is a secret',
      vars: { MAIL_BACKEND: 'resend', MAIL_FROM: 'x@service.example' },
      secrets: SECRETS,
      named: ['RESEND_API_KEY'],
    },
    {
      what: 'a part whole by its secret',
      vars: { MAIL_BACKEND: 'resend', MAIL_FROM: 'x' },
      secrets: [...SECRETS, 'RESEND_API_KEY'],
      named: [],
    },
    {
      what: 'a binding that is not there',
      vars: { MODEL_BACKEND: 'workers-ai', MODEL_NAME: 'x' },
      secrets: SECRETS,
      named: ['MODEL_BACKEND'],
    },
    {
      what: 'a clock that is for the local stack',
      vars: { CLOCK_OFFSET_S: '5' },
      secrets: SECRETS,
      named: ['CLOCK_OFFSET_S'],
    },
  ])('names $what', ({ vars, secrets, named }) => {
    expect(faultsOf(vars, secrets).map(({ setting }) => setting)).toEqual(named);
    expect(requireSettings(vars, secrets)).toHaveLength(named.length);
  });

  it.each(SECRETS)('is refused without the secret %s, by its name', (missing) => {
    const others = SECRETS.filter((name) => name !== missing);
    expect(() => requireSettings(VARS, others)).toThrow(`${missing} is not set`);
  });
});

describe('npm start', () => {
  it.each([
    ['SERVICE_SECRET', 'short'],
    ['HASH_SECRET', 'short'],
    ['DATABASE_URL', 'mysql://db.example'],
  ])('refuses a wrong %s before it starts anything, by its name and without its value', (name, value) => {
    expect(() => checkSettings({ [name]: value })).toThrow(`${name} is not `);
    expect(() => checkSettings({ [name]: value })).not.toThrow(value);
  });

  it('names DATABASE_HTTP_URL as unused, without its value', () => {
    expect(unusedSettings({ DATABASE_HTTP_URL: 'https://db.example/sql' })).toEqual([
      'DATABASE_HTTP_URL is not used: the stack sets it to its own endpoint',
    ]);
    expect(unusedSettings({ DATABASE_URL: 'postgresql://user:password@db.example/main' })).toEqual([]);
    expect(unusedSettings({ DATABASE_HTTP_URL: '' })).toEqual([]);
  });

  it('generates what is not set, and continues with a wrong optional setting', () => {
    expect(checkSettings({}).faults).toEqual([]);
    expect(checkSettings({ SERVICE_SECRET: '', DATABASE_URL: '' }).faults).toEqual([]);
    expect(checkSettings({ KICKBOX_COST_USD: 'abc', KICKBOX_API_KEY: 'x' }).faults).toMatchObject([
      { setting: 'KICKBOX_COST_USD', off: 'no request goes to kickbox' },
    ]);
  });
});

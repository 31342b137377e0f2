import { secretBytes } from '../../../src/kernel/crypto.ts';
import { describe, expect, it } from 'vitest';
import { sentence } from '../../../scripts/deployment/settings.ts';
import { failedDependency } from '../../../src/kernel/errors.ts';
import { readConfig } from '../../../src/runtime/config.ts';
import { SETTINGS } from '../../../src/runtime/settings.ts';
import { RIGHT, WRONG, wrongly } from '../../support/wrong-settings.ts';

/** What a configuration comes to, its secrets as they are used. */
function read(settings: Readonly<Record<string, unknown>>) {
  const { secrets, faults, ...config } = readConfig(settings);
  return { faults, config: { ...config, keys: secrets.keys().map(({ version }) => version) } };
}
const right = readConfig(RIGHT);

describe('a right configuration', () => {
  it('is without fault', () => {
    expect(right.faults).toEqual([]);
  });

  it('may hold numbers, as wrangler.toml has them, and white space around a text', () => {
    const loose = { ...RIGHT, KICKBOX_COST_USD: 0.001, CLOCK_OFFSET_S: 10, KICKBOX_API_KEY: ' a-key\n' };
    expect(read(loose)).toEqual(read(RIGHT));
  });

  it('is as right with the required settings alone', () => {
    const { SERVICE_SECRET, HASH_SECRET, DATABASE_URL } = RIGHT;
    const { faults, dohUrls, model, mail } = readConfig({ SERVICE_SECRET, HASH_SECRET, DATABASE_URL });
    expect(faults).toEqual([]);
    expect(dohUrls).toHaveLength(2);
    expect([model, mail]).toEqual([{ backend: 'none' }, { backend: 'none' }]);
  });

  it('takes Workers AI where the binding is there', () => {
    const { faults, model } = readConfig({ ...RIGHT, MODEL_BACKEND: 'workers-ai', AI: {} });
    expect([faults, model.backend]).toEqual([[], 'workers-ai']);
  });
});

describe('a wrong optional setting', () => {
  it('is in the table in every form', () => {
    const required = ['SERVICE_SECRET', 'HASH_SECRET', 'DATABASE_URL', 'DATABASE_HTTP_URL'];
    const anyText = ['SERVICE_VERSION', 'SERVICE_SECRET_PREVIOUS', 'HASH_SECRET_PREVIOUS'];
    const tested = new Set([...WRONG.map(({ setting }) => setting), ...required, ...anyText]);
    expect(Object.keys(SETTINGS).filter((name) => !tested.has(name))).toEqual([]);
  });

  it.each(WRONG)(
    '$setting = $wrong takes its own part away and nothing else, and is named without its value',
    (row) => {
      const { faults, config } = read(wrongly(RIGHT, row));
      const expected = { ...read(RIGHT).config, ...row.off(right) };
      expect(config).toEqual(expected);
      expect([...new Set(faults.map(({ setting }) => setting))]).toEqual(row.named ?? [row.setting]);
      expect(faults.every(({ required }) => !required)).toBe(true);
      expect(JSON.stringify(faults)).not.toContain('hunter2');
    },
  );

  it.each(['SERVICE_SECRET_PREVIOUS', 'HASH_SECRET_PREVIOUS'])('%s: the good ones among them stay', (setting) => {
    const settings = { ...RIGHT, [setting]: `short, ${RIGHT[setting]}` };
    const { faults, config } = read(settings);
    expect(config).toEqual(read(RIGHT).config);
    expect(faults).toMatchObject([{ setting, required: false }]);
  });

  it('HASH_SECRET_PREVIOUS: the present secret is none of before', () => {
    const { HASH_SECRET = '', HASH_SECRET_PREVIOUS = '' } = RIGHT;
    const of = (previous: string) => readConfig({ ...RIGHT, HASH_SECRET_PREVIOUS: previous }).secrets.earlierHashes;
    expect(of(HASH_SECRET)).toEqual([]);
    expect(of(`${HASH_SECRET},${HASH_SECRET_PREVIOUS}`)).toEqual([secretBytes(HASH_SECRET_PREVIOUS)]);
  });
});

describe('a fault says in a sentence what is wrong and what is off', () => {
  const { SERVICE_SECRET = '', HASH_SECRET = '', DATABASE_URL = '' } = RIGHT;
  const TWO = 'https://one.example/q,https://two.example/q';
  const ALONE = 'one resolver is asked alone, and no other steps in while it is slow or away';
  const NO_URL = 'is not a URL that begins with http:// or https:// and has no user or password';
  const NO_MODEL = 'screening does without its model';

  it.each<{ settings: Record<string, string>; said: string[] }>([
    {
      settings: { MODEL_BACKEND: 'openai' },
      said: [
        `MODEL_NAME is not set, but MODEL_BACKEND is openai: ${NO_MODEL}`,
        `MODEL_BASE_URL is not set, but MODEL_BACKEND is openai: ${NO_MODEL}`,
      ],
    },
    { settings: { MODEL_NAME: 'small' }, said: [`MODEL_BACKEND is not set, but MODEL_NAME is: ${NO_MODEL}`] },
    {
      settings: { MAIL_BACKEND: 'resend', MAIL_FROM: 'x@service.example' },
      said: ['RESEND_API_KEY is not set, but MAIL_BACKEND is resend: no mail is sent: its text goes to the log'],
    },
    {
      settings: { KICKBOX_COST_USD: '0.001' },
      said: ['KICKBOX_API_KEY is not set, but KICKBOX_COST_USD is: no request goes to kickbox'],
    },
    {
      settings: { REACHER_API_KEY: 'a-key' },
      said: ['REACHER_BASE_URL is not set, but REACHER_API_KEY is: no request goes to reacher'],
    },
    {
      settings: { DOH_URLS: 'https://one.example/q' },
      said: [`DOH_URLS names one resolver, where two or more are needed: ${ALONE}`],
    },
    {
      settings: { DOH_URLS: 'https://one.example/q,x' },
      said: [
        `DOH_URLS has 2 parts, of which number 2 ${NO_URL}: ${ALONE}`,
        `DOH_URLS names one resolver, where two or more are needed: ${ALONE}`,
      ],
    },
    {
      settings: { DOH_URLS: `${TWO},x` },
      said: [`DOH_URLS has 3 parts, of which number 3 ${NO_URL}: a wrong one is left out`],
    },
    {
      settings: { DOH_URLS: 'x' },
      said: [`DOH_URLS ${NO_URL}: the built-in ones are asked`],
    },
  ])('$settings', ({ settings, said }) => {
    const { faults } = readConfig({ SERVICE_SECRET, HASH_SECRET, DATABASE_URL, ...settings });
    expect(faults.map(sentence)).toEqual(said);
  });
});

describe('a required setting', () => {
  it.each([
    ['SERVICE_SECRET', null],
    ['SERVICE_SECRET', 'short'],
    ['HASH_SECRET', null],
    ['HASH_SECRET', 'c2hvcnQ='],
    ['DATABASE_URL', null],
    ['DATABASE_URL', 'https://db.example/main'],
    ['DATABASE_URL', 'postgresql:db'],
    ['DATABASE_URL', 'postgresql:///db'],
    ['DATABASE_URL', 'postgresql://user:password@host'],
    ['DATABASE_URL', 'postgresql://host/db'],
    ['DATABASE_URL', true],
    ['SERVICE_SECRET', true],
    ['DATABASE_HTTP_URL', 'db.example/sql'],
  ])('%s = %s is named, and only what needs it refuses', (setting, wrong) => {
    const config = readConfig(wrongly(RIGHT, { setting, wrong, off: () => ({}) }));
    expect(config.faults).toMatchObject([{ setting, required: true }]);
    const resultOf = (use: () => unknown) => {
      try {
        return use() === null ? 'none' : 'there';
      } catch (error) {
        expect(failedDependency(error)).toBe('settings');
        return 'none';
      }
    };
    expect({
      SERVICE_SECRET: resultOf(config.secrets.keys),
      HASH_SECRET: resultOf(config.secrets.hash),
      DATABASE: resultOf(() => config.database),
    }).toEqual({
      SERVICE_SECRET: 'there',
      HASH_SECRET: 'there',
      DATABASE: 'there',
      [setting.startsWith('DATABASE') ? 'DATABASE' : setting]: 'none',
    });
  });
});

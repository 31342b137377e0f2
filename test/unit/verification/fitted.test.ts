import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { computePosterior } from '../../../src/domain/verification/conclusion.ts';
import { strangerState } from '../../../src/domain/verification/first-state.ts';
import { type Model, SEEDED_MODEL } from '../../../src/domain/verification/model.ts';
import { strangerWith } from '../../support/beliefs.ts';
import type { Scripts } from './scripted-provider.ts';
import { type Request, Stage } from './stage.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A tenth of mail to business addresses at Google bounces though their server accepts it. */
const FITTED: Model = {
  ...SEEDED_MODEL,
  version: 'fit-1',
  calibration: 'fitted',
  prior: {
    ...SEEDED_MODEL.prior,
    google_business: SEEDED_MODEL.prior.google_business.map((cell) =>
      cell.answer === 'accepts' ? { ...cell, bounced: 40, landed: 360 } : cell,
    ),
  },
};

/** The account's lists lie high: by answers alone, and by outcomes too. */
const LISTS: Model = { ...SEEDED_MODEL, version: 'levels-1', history: { ...SEEDED_MODEL.history, listLevel: 2 } };
const REPORTED_LISTS: Model = { ...LISTS, version: 'levels-2', calibration: 'fitted' };

function stageWith(scripts: Scripts = {}): Stage {
  const stage = new Stage();
  stage.scripts = scripts;
  stage.models = { 'fit-1': FITTED, 'levels-1': LISTS, 'levels-2': REPORTED_LISTS };
  return stage;
}

const under = (model: Model): number =>
  computePosterior({
    ...strangerWith(model, 'google_business', []),
    first: strangerState(model, 'google_business', 'signup', 0),
  }).belief.probability;

describe('a fitted model', () => {
  it('makes the number, is named in the trace, and the answer says so', async () => {
    const { answer, trace } = await stageWith().verify('ada@business.test', { calibration: 'fit-1' });
    expect(answer).toMatchObject({ calibration: 'fitted', bounce_probability: under(FITTED) });
    expect(trace.detail).toMatchObject({ calibration: 'fitted', features: { model_version: 'fit-1' } });
  });

  it('is not named as fitted for an address whose number it leaves where the table has it, and is named all the same', async () => {
    const { answer, trace } = await stageWith().verify('ada@behind-barracuda.test', { calibration: 'fit-1' });
    expect(answer.calibration).toBe('prior');
    expect(trace.detail).toMatchObject({ calibration: 'prior', features: { model_version: 'fit-1' } });
  });

  it.each([
    [LISTS, 'prior'],
    [REPORTED_LISTS, 'fitted'],
  ] as const)(
    'with lists that lie elsewhere moves a stranger, and says fitted where outcomes moved the lists (%#)',
    async (model, calibration) => {
      const { answer, trace } = await stageWith().verify('ada@business.test', { calibration: model.version });
      expect(under(model)).toBeGreaterThan(2 * under(SEEDED_MODEL));
      expect(answer).toMatchObject({ calibration, bounce_probability: under(model) });
      expect(trace.detail).toMatchObject({ calibration, features: { model_version: model.version } });
    },
  );

  it('is what the router chooses by', async () => {
    const kickbox: Scripts = { kickbox: { ms: 100, says: 'deliverable' } };
    const email = 'ada@business.test';
    const route = async (request: Request) => (await stageWith(kickbox).verify(email, request)).trace.detail.route;
    const [own, table] = [await route({ calibration: 'fit-1' }), await route({})];
    expect(own?.[0]?.probability).toBeCloseTo(under(FITTED), 5);
    expect(table?.[0]?.probability).toBeCloseTo(under(SEEDED_MODEL), 5);
  });

  it.each<{ when: string; email?: string; request: Request; scripts?: Scripts }>([
    { when: 'none is in force', request: {} },
    { when: 'the one in force can’t be had', request: { calibration: 'fit-lost' } },
    { when: 'the object is out of reach', request: { calibration: 'fit-1', unreached: true } },
    { when: 'the key is a test key', request: { calibration: 'fit-1', mode: 'test' } },
    { when: 'a finding has settled it', email: 'a@no-mail.test', request: { calibration: 'fit-1' } },
    {
      when: 'every provider failed',
      request: { calibration: 'fit-1' },
      scripts: { kickbox: { ms: 100, says: 'server_error', priceMicros: 100 } },
    },
  ])('is not asked when $when: the number is the table’s, as answer and trace say', async (given) => {
    const { email = 'ada@business.test', request, scripts } = given;
    const { answer, trace } = await stageWith(scripts).verify(email, request);
    const settled = email === 'a@no-mail.test';
    expect(answer).toMatchObject({ calibration: 'prior', bounce_probability: settled ? 1 : under(SEEDED_MODEL) });
    expect(trace.detail).toMatchObject({ calibration: 'prior', features: { model_version: SEEDED_MODEL.version } });
  });
});

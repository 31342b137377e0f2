import type { DeliveryClass, Feature } from '../../src/domain/belief/facts.ts';
import { PROVIDER_IDS, type ProviderVerdict } from '../../src/domain/belief/provider.ts';
import { seededRandom } from '../../test/support/seeded-random.ts';
import { fileCases } from './file-cases.ts';
import { employer, reports } from './report-cases.ts';
import {
  type Asked,
  type Case,
  actions,
  isOnly,
  least,
  most,
  newDomain,
  ORDINARY,
  type Person,
  PURPOSES,
  personAt,
  Scene,
  STRICT,
  said,
  shown,
} from './scene.ts';

/** A new account's answer after these provider answers. */
function after(person: Person, purpose: (typeof PURPOSES)[number], words: readonly ProviderVerdict[]): Asked {
  const scene = new Scene();
  words.forEach((word, at) => scene.told(person, purpose, PROVIDER_IDS[at] ?? 'kickbox', word));
  return scene.answer(person, purpose);
}

function strangers(): Case[] {
  const at = (purpose: (typeof PURPOSES)[number]): Asked[] =>
    ORDINARY.map((host) => new Scene().answer(personAt(host), purpose));
  const [signup, outbound, file] = [at('signup'), at('outbound'), at('list_hygiene')];
  return [
    {
      situation: 'ordinary person, no vendor, signup; any host',
      required: 'likely_valid, send',
      found: `${said(signup)}; p ≤ ${shown(most(signup))}`,
      ok: isOnly(signup, 'likely_valid', 'send'),
    },
    {
      situation: 'the same, outbound',
      required: 'likely_valid, send',
      found: `${said(outbound)}; p ≤ ${shown(most(outbound))}`,
      ok: isOnly(outbound, 'likely_valid', 'send'),
    },
    { situation: 'the same, a file', required: 'risky, hold', found: said(file), ok: isOnly(file, 'risky', 'hold') },
  ];
}

function refusals(): Case[] {
  const each = (
    words: readonly ProviderVerdict[],
    purposes: readonly (typeof PURPOSES)[number][] = PURPOSES,
  ): Asked[] => STRICT.flatMap((host) => purposes.map((purpose) => after(personAt(host), purpose, words)));
  const [one, inFile, two] = [
    each(['undeliverable']),
    each(['undeliverable'], ['list_hygiene']),
    each(['undeliverable', 'undeliverable']),
  ];
  const withUnknown = each(['undeliverable', 'unknown']);
  const fall = Math.max(...one.map(({ p }, at) => p - (withUnknown[at]?.p ?? 0)));
  return [
    {
      situation: 'one vendor refuses at a strict host',
      required: 'p ≥ .5',
      found: shown(least(one)),
      ok: least(one) >= 0.5,
    },
    {
      situation: 'the same in a file',
      required: 'p ≥ .70, drop',
      found: `${shown(least(inFile))}, ${actions(inFile)}`,
      ok: least(inFile) >= 0.7 && actions(inFile) === 'drop',
    },
    { situation: 'then another is unknown', required: 'p falls by ≤ .1', found: shown(fall), ok: fall <= 0.1 },
    {
      situation: 'two engines refuse',
      required: 'p ≥ .9, invalid, drop',
      found: `${shown(least(two))}; ${said(two)}`,
      ok: least(two) >= 0.9 && isOnly(two, 'invalid', 'drop'),
    },
  ];
}

const BAD: readonly DeliveryClass[] = ['user_unknown', 'refused', 'full', 'soft'];
const WORDS: readonly ProviderVerdict[] = ['deliverable', 'undeliverable', 'catch_all', 'risky', 'unknown'];
const RANDOM_CASES = 10_000;

/** Two properties over random evidence: a delivery never makes an address worse, a newer refusal never better. */
function properties(): Case[] {
  const draws = seededRandom(5);
  const one = <T>(values: readonly T[]): T => values[draws.index(values.map(() => 1))] as T;
  let [rise, fall] = [0, 0];
  for (let at = 0; at < RANDOM_CASES; at += 1) {
    const [host, purpose, now] = [one(ORDINARY), one(PURPOSES), 400];
    const facts = Array.from({ length: draws.index([1, 1, 1, 1, 1]) }, () => ({
      at: draws.between(0, now),
      isReport: draws.uniform() < 0.5,
      report: one([...BAD, 'delivered', 'complaint'] as const),
      vendor: draws.index([1, 1, 1, 1, 1]),
      word: one(WORDS),
    })).sort((a, b) => a.at - b.at);
    const delivery = purpose === 'outbound' ? now : draws.between(0, now);
    const answer = (extra: 'none' | 'delivery' | 'refusal'): number => {
      const [scene, person] = [new Scene(), personAt(host)];
      let time = 0;
      const to = (day: number): void => {
        scene.pass(day - time);
        time = day;
      };
      const isDelivered = extra === 'delivery';
      let isDone = !isDelivered;
      for (const fact of facts) {
        if (!isDone && delivery <= fact.at) {
          to(delivery);
          scene.reported(person, purpose, 'delivered');
          isDone = true;
        }
        to(fact.at);
        if (fact.isReport) scene.reported(person, purpose, fact.report);
        else scene.told(person, purpose, PROVIDER_IDS[fact.vendor] ?? 'kickbox', fact.word);
      }
      if (!isDone) {
        to(delivery);
        scene.reported(person, purpose, 'delivered');
      }
      to(now);
      if (extra === 'refusal') scene.told(person, purpose, 'reacher', 'undeliverable');
      return scene.answer(person, purpose).p;
    };
    const before = answer('none');
    rise = Math.max(rise, answer('delivery') - before);
    fall = Math.max(fall, before - answer('refusal'));
  }
  return [
    {
      situation: `a delivery added to any evidence, ${RANDOM_CASES} random cases`,
      required: 'p rises by ≤ .01',
      found: shown(rise),
      ok: rise <= 0.01,
    },
    {
      situation: 'a newer refusal by a vendor not yet heard',
      required: 'p falls by ≤ .001',
      found: fall.toFixed(5),
      ok: fall <= 0.001,
    },
  ];
}

function catchAlls(): Case[] {
  const [scene, domain] = [new Scene(), newDomain('google_business')];
  for (let at = 0; at < 28; at += 1) {
    scene.told(personAt('google_business', domain), 'outbound', 'kickbox', at < 20 ? 'catch_all' : 'undeliverable');
    scene.pass(1);
  }
  const next = personAt('google_business', domain);
  scene.told(next, 'outbound', 'kickbox', 'undeliverable');
  const turned = scene.answer(next, 'outbound');
  const wide = (['google_business', 'microsoft_business', 'unknown_business'] as const).flatMap((host) =>
    PURPOSES.map((purpose) => {
      const widthAfter = (word: ProviderVerdict): number => {
        const [own, company] = [new Scene(), newDomain(host)];
        for (let one = 0; one < 3; one += 1) own.told(personAt(host, company), purpose, 'kickbox', word);
        return own.answer(personAt(host, company), purpose).width;
      };
      const [catchAll, strict, unknown] = [widthAfter('catch_all'), widthAfter('deliverable'), widthAfter('unknown')];
      return { strict: catchAll / strict, unknown: catchAll / unknown };
    }),
  );
  const narrow = Math.min(...wide.map(({ strict }) => strict));
  const unknown = Math.min(...wide.map((each) => each.unknown));
  return [
    {
      situation: 'a company says catch_all 20 times, then refuses 8',
      required: 'the next refused drops; catch_all false',
      found: `${turned.recommendation}, ${turned.isCatchAll}`,
      ok: turned.recommendation === 'drop' && !turned.isCatchAll,
    },
    {
      situation: 'a stranger at a catch-all company',
      required: 'interval ≥ 1.5 times as wide as at a strict company, wider than unknown',
      found: `${narrow.toFixed(2)} times; ${unknown.toFixed(2)}`,
      ok: narrow >= 1.5 && unknown > 1,
    },
  ];
}

function localParts(): Case[] {
  const signup = (
    features: readonly Feature[],
    host: 'google_consumer' | 'unknown_business' = 'google_consumer',
  ): Asked => new Scene().answer(personAt(host, undefined, features), 'signup');
  const short = [signup(['too_short']), signup(['too_short', 'gibberish']), signup(['too_short', 'name_match'])];
  const [placeholder, parked] = [
    personAt('google_consumer', undefined, ['placeholder']),
    ['typo_domain', 'parked_mail_hosts'] as const,
  ];
  const word = after(placeholder, 'signup', ['deliverable', 'deliverable']);
  const typo = signup(parked, 'unknown_business');
  const inFile = new Scene().answer(personAt('unknown_business', undefined, parked), 'list_hygiene', true);
  const unresolved = new Scene().answer(personAt('unresolved_business'), 'signup');
  const business = most(
    ORDINARY.filter((host) => host.endsWith('business')).map((host) => new Scene().answer(personAt(host), 'signup')),
  );
  const warned = (['spam_trap', 'complainer', 'disposable'] as const).map((warning) => {
    const [scene, person] = [new Scene(), personAt('google_business')];
    scene.told(person, 'signup', 'zerobounce', 'deliverable', { warning });
    return scene.answer(person, 'signup');
  });
  return [
    {
      situation: 'asdf@, test@, abc@, ada@gmail.com',
      required: 'p ≥ .4, challenge',
      found: `${shown(least(short))}, ${actions(short)}`,
      ok: least(short) >= 0.4 && actions(short) === 'challenge',
    },
    {
      situation: 'a placeholder, whatever two vendors say of it',
      required: 'challenge',
      found: word.recommendation,
      ok: word.recommendation === 'challenge',
    },
    {
      situation: 'a parked typo; in a file',
      required: 'p ≥ .5, challenge; drop',
      found: `${shown(typo.p)}, ${typo.recommendation}; ${inFile.recommendation}`,
      ok: typo.p >= 0.5 && typo.recommendation === 'challenge' && inFile.recommendation === 'drop',
    },
    {
      situation: 'DNS unresolved, signup',
      required: 'unknown, send, p ≥ any business row’s',
      found: `${unresolved.verdict}, ${unresolved.recommendation}, ${shown(unresolved.p)} over ${shown(business)}`,
      ok: unresolved.verdict === 'unknown' && unresolved.recommendation === 'send' && unresolved.p >= business,
    },
    {
      situation: 'a provider says trap, complainer, disposable',
      required: 'never send',
      found: actions(warned),
      ok: !actions(warned).includes('send'),
    },
  ];
}

export const cases = (): Case[] => [
  ...strangers(),
  ...fileCases(),
  ...refusals(),
  ...employer(),
  ...reports(),
  ...properties(),
  ...catchAlls(),
  ...localParts(),
];

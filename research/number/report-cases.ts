import { actions, most, newDomain, PURPOSES, personAt, Scene, shown, type Case } from './scene.ts';

export function employer(): Case[] {
  const limits = { signup: 0.15, outbound: 0.45, list_hygiene: 0.6 } as const;
  return PURPOSES.map((purpose) => {
    const found = (['google_business', 'microsoft_business', 'unknown_business'] as const).map((host) => {
      const [scene, domain] = [new Scene(), newDomain(host)];
      for (let one = 0; one < 12; one += 1) {
        scene.reported(personAt(host, domain), purpose, 'user_unknown');
        scene.pass(2.5);
      }
      const colleague = personAt(host, domain);
      const alone = scene.answer(colleague, purpose);
      scene.told(colleague, purpose, 'kickbox', 'deliverable');
      const checked = scene.answer(colleague, purpose);
      scene.reported(colleague, purpose, 'delivered');
      return { alone, checked, delivered: scene.answer(colleague, purpose) };
    });
    const [alone, checked, delivered] = [
      found.map((one) => one.alone),
      found.map((one) => one.checked),
      found.map((one) => one.delivered),
    ];
    return {
      situation: `12 of one employer bounce, bounces alone reported; a colleague, ${purpose}`,
      required: `≤ ${limits[purpose]}, no drop; deliverable ≤ .10; delivered ≤ .02`,
      found: `${shown(most(alone))}, ${actions(alone)}; ${shown(most(checked))}; ${shown(most(delivered))}`,
      ok:
        most(alone) <= limits[purpose] &&
        !actions(alone).includes('drop') &&
        most(checked) <= 0.1 &&
        most(delivered) <= 0.02,
    };
  });
}

export function reports(): Case[] {
  const hosts = ['google_consumer', 'google_business', 'unknown_business'] as const;
  const limit = { signup: 0.3, outbound: 0.3, list_hygiene: 0.4 } as const;
  const bursts = PURPOSES.flatMap((purpose) =>
    hosts.map((host) => {
      const [scene, person] = [new Scene(), personAt(host)];
      scene.reported(person, purpose, 'user_unknown');
      scene.pass(1 / 48);
      scene.reported(person, purpose, 'user_unknown');
      scene.pass(1);
      scene.reported(person, purpose, 'delivered');
      const { p: first } = scene.answer(person, purpose);
      scene.pass(2);
      scene.reported(person, purpose, 'delivered');
      return { purpose, first, second: scene.answer(person, purpose).p };
    }),
  );
  const old = hosts.map((host) => {
    const [scene, person] = [new Scene(), personAt(host)];
    scene.reported(person, 'signup', 'delivered');
    scene.proved(person, 'signup', 'paid');
    scene.pass(365);
    return {
      over: scene.answer(person, 'signup').p - new Scene().answer(personAt(host), 'signup').p,
      outbound: host === 'google_consumer' ? 0 : scene.answer(person, 'outbound').p,
    };
  });
  const cliffs = (
    [
      [299, 301],
      [399, 401],
    ] as const
  ).flatMap((ages) =>
    (['delivered', 'user_unknown'] as const).map((kind) => {
      const [young, aged] = ages.map((age) => {
        const [scene, person] = [new Scene(), personAt('google_business')];
        scene.reported(person, 'outbound', kind);
        scene.pass(age);
        return scene.answer(person, 'outbound').p;
      }) as [number, number];
      return Math.abs(young - aged);
    }),
  );
  const [over, outbound, jump] = [
    Math.max(...old.map((one) => one.over)),
    Math.max(...old.map((one) => one.outbound)),
    Math.max(...cliffs),
  ];
  const first = Math.max(...bursts.map((one) => one.first - limit[one.purpose]));
  const second = Math.max(...bursts.map((one) => one.second));
  return [
    {
      situation: 'two 5.1.1 within an hour, then a delivery; another two days later',
      required: '≤ .30 (file .40); ≤ .05',
      found: `${first <= 0 ? 'within' : `over by ${shown(first)}`}; ${shown(second)}`,
      ok: first <= 0 && second <= 0.05,
    },
    {
      situation: 'delivered and paid 365 days ago',
      required: 'signup ≤ a stranger’s; outbound business ≤ .25',
      found: `${over <= 0 ? 'not above' : `over by ${shown(over)}`}; ${shown(outbound)}`,
      ok: over <= 1e-6 && outbound <= 0.25,
    },
    {
      situation: 'facts 299 and 301, 399 and 401 days old',
      required: 'within .02',
      found: shown(jump),
      ok: jump <= 0.02,
    },
  ];
}

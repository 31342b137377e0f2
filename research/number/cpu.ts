import { spread } from '../../scripts/bench/measure.ts';
import { believe } from '../../src/domain/belief/posterior.ts';
import { PROVIDER_IDS } from '../../src/domain/belief/provider.ts';
import { route } from '../../src/domain/router/router.ts';
import { ModelAccount } from './account.ts';
import { drawAccount } from './lives.ts';
import { askable } from './money.ts';
import { serve } from './run.ts';
import { service } from './service.ts';
import { drawWorld } from './world.ts';

export interface CpuFigure {
  readonly what: string;
  readonly micros: number;
  readonly atMost: number;
}

const ROUNDS = 7;
/** Days between an address's newest fact and the call. */
const LATER_MS = 20 * 86_400_000;

/** CPU per call over the addresses of a world: half without facts, the others with answers and reports. */
export function cpu(): CpuFigure[] {
  const [world, account] = [drawWorld('bounces only', 1), new ModelAccount()];
  serve(world, service(world, account), drawAccount(world));
  const rows = [...account.rows].slice(0, 2_000);
  const now = Math.max(...rows.flatMap(([, { facts }]) => facts.answers.map(({ at }) => at)));
  const looks = rows.map(([address, { facts }], at) => {
    const name = at % 2 === 0 ? address : `stranger ${address}`;
    return account.look({ ...facts, address: name, at: now + LATER_MS }, askable(PROVIDER_IDS));
  });
  const inputs = looks.map((look) => look.input());
  const timed = (count: number, work: () => void): number => {
    const times = Array.from({ length: ROUNDS }, () => {
      const before = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(before);
      return (user + system) / count;
    });
    return spread(times).median;
  };
  return [
    {
      what: 'belief with interval, groups read',
      micros: timed(looks.length, () => looks.forEach((look) => void look.belief())),
      atMost: 40,
    },
    {
      what: 'belief with interval alone',
      micros: timed(inputs.length, () => inputs.forEach((input) => void believe(input))),
      atMost: 40,
    },
    {
      what: 'learning, an address whose facts change',
      micros: timed(rows.length, () => {
        for (const [address, { facts }] of rows) {
          const context = { ...facts, address, at: now };
          const report = { class: 'soft', at: now, of: `${address} again`, source: 'key' } as const;
          account.learn({ context, answers: [], report, proof: null }, now);
        }
      }),
      atMost: 15,
    },
    { what: 'recompute, a row', micros: timed(account.rows.size, () => account.recompute(now)), atMost: 15 },
    {
      what: 'router with seven vendors',
      micros: timed(inputs.length, () => inputs.forEach((input) => void route(input))),
      atMost: 300,
    },
  ];
}

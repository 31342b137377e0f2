import { beforeEach, expect, it, vi } from 'vitest';
import { resolverFailureLog } from '../../../src/runtime/monitoring.ts';

const said: unknown[] = [];
beforeEach(() => {
  said.length = 0;
  vi.spyOn(console, 'warn').mockImplementation((line: string) => void said.push(JSON.parse(line)));
});

const ONE = 'https://one.example:8443/a-secret/dns-query?token=a-secret';
const TWO = 'https://two.example/dns-query';
const line = (resolver: string, failure: string) => {
  return { level: 'warn', event: 'dependency_failed', dependency: 'dns', resolver, failure, ms: 7 };
};

it('the log names each resolver and each of its failures once a minute', () => {
  let nowMs = 0;
  const tell = resolverFailureLog(() => nowMs);
  for (let minute = 0; minute < 2; minute += 1) {
    nowMs = minute * 60_000;
    for (let question = 0; question < 100; question += 1) {
      tell({ url: ONE, why: 'unreachable', ms: 7 });
      tell({ url: ONE, why: 'timeout', ms: 7 });
      tell({ url: TWO, why: 'malformed', ms: 7 });
      nowMs += 599;
    }
  }
  const aMinute = [
    line('one.example:8443', 'unreachable'),
    line('one.example:8443', 'timeout'),
    line('two.example', 'malformed'),
  ];
  expect(said).toEqual([...aMinute, ...aMinute]);
});

it('SERVFAIL is an answer, and does not count as a failure of the resolver', () => {
  resolverFailureLog(() => 0)({ url: ONE, why: 'servfail', ms: 7 });
  expect(said).toEqual([]);
});

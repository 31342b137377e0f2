import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../scripts/stack/free-port.ts';
import { MAIL_SERVICES } from '../../src/domain/feedback/outcomes.ts';
import { runOperator } from '../support/operator-cli.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';

let stack: TestStack;
let sns = '';
beforeAll(async () => {
  sns = `http://127.0.0.1:${await freePort()}`;
  stack = await startTestStack({ env: { SNS_BASE_URL: sns } });
});
afterAll(() => stack.remove());

const operator = (...args: string[]) =>
  runOperator(['--state', stack.stateDir, '--json', ...args], { SNS_BASE_URL: sns });

describe('the operators’ command line', () => {
  it.each(MAIL_SERVICES)(
    'has a fake of %s send an event, to a new connection and again to that one',
    async (service) => {
      const send = async (connection: string, event: string) => {
        const args = ['--service', service, '--event', `${event}:user@business.test`];
        const { code, stdout, stderr } = await operator('connection', 'try', connection, ...args);
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        return JSON.parse(stdout);
      };
      const first = await send('new', 'hard_bounce');
      expect(first).toMatchObject({ service, event: 'hard_bounce', accepted: 1 });
      expect(await send(first.connection, 'unsubscribe')).toMatchObject({ connection: first.connection, accepted: 0 });
    },
  );

  it('imports a service’s export, whole and then from a row on, and blocks what it suppresses', async () => {
    const at = Math.floor(Date.now() / 1_000) - 86_400;
    const rows = Array.from(
      { length: 2_500 },
      (_, i) => `user${i}@business.test,${i % 10 === 0 ? 'BOUNCE' : 'COMPLAINT'},${at}`,
    );
    const file = join(stack.stateDir, 'suppressed.csv');
    writeFileSync(file, ['Email address,Suppression reason,Last update time', ...rows].join('\n'));
    const first = await operator('outcomes', 'import', file);
    expect(first.stderr).toBe('');
    expect(JSON.parse(first.stdout)).toMatchObject({ rows: 2_500, accepted: 2_500, duplicates: 0, rejected: {} });
    const again = JSON.parse((await operator('outcomes', 'import', file, '--from-row', '2001', '--block')).stdout);
    expect(again).toMatchObject({ accepted: 0, duplicates: 500, blocked: 500 });
  });

  it('says in one line what a file lacks', async () => {
    const file = join(stack.stateDir, 'list.csv');
    writeFileSync(file, 'email,created\nada@business.test,1794995200\n');
    const { code, stderr } = await operator('outcomes', 'import', file);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^The file does not say .* give --as .*\n$/),
    });
  });
});

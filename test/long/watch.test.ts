import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runOperator } from '../support/operator-cli.ts';
import { type Collector, startCollector } from '../support/otlp-collector.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';

let stack: TestStack;
let collector: Collector;
beforeAll(async () => {
  [stack, collector] = await Promise.all([startTestStack(), startCollector()]);
});
afterAll(() => Promise.all([stack.remove(), collector.close()]));

const watch = (env: Record<string, string> = {}) => runOperator(['--state', stack.stateDir, 'watch'], env);

describe('npm run operator -- watch', () => {
  it('says that all is well, and sends nothing where no collector is named', async () => {
    expect(await watch()).toEqual({ code: 0, stdout: 'All is well.\n', stderr: '' });
    expect(collector.exported).toEqual([]);
  });

  it('sends its figures as metrics over OTLP, as OpenTelemetry’s variables say', async () => {
    await stack.request('/v1/verify', stack.keys.member, { email: 'ada.lovelace@business.test' });
    const { code, stderr } = await watch({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.baseUrl,
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20token',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=production',
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(collector.exported).toMatchObject([{ path: '/v1/metrics', authorization: 'Bearer token' }]);
    const [sent] = collector.exported[0]?.body.resourceMetrics ?? [];
    expect(sent?.resource.attributes).toEqual(
      expect.arrayContaining([
        { key: 'service.name', value: { stringValue: 'email-verification' } },
        { key: 'deployment.environment.name', value: { stringValue: 'production' } },
      ]),
    );
    const metrics = new Map(
      sent?.scopeMetrics.flatMap((scope) => scope.metrics).map((metric) => [metric.name, metric]),
    );
    const quota = metrics.get('email_verification.quota.utilization');
    expect(quota?.gauge.dataPoints.map(({ asDouble }) => asDouble)).toContainEqual(1 / 50_000);
    const checks = metrics.get('email_verification.check.failed')?.gauge.dataPoints ?? [];
    expect(new Set(checks.map(({ asDouble }) => asDouble))).toEqual(new Set([0]));
    expect(JSON.stringify(collector.exported)).not.toMatch(/lovelace|business\.test/);
  });

  it('says when its figures were not taken', async () => {
    collector.status = 400;
    const { code, stdout, stderr } = await watch({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.baseUrl });
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'All is well.\n' });
    expect(stderr).toMatch(/^The collector did not accept the metrics: .*\n$/);
  });

  it('finds a service that is down, in one line', async () => {
    const { code, stdout, stderr } = await watch({
      EMAIL_VERIFICATION_BASE_URL: 'http://127.0.0.1:1',
      EMAIL_VERIFICATION_OPERATOR_KEY: stack.keys.operator,
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe("http://127.0.0.1:1 can't be reached. Is it running?\n");
  });
});

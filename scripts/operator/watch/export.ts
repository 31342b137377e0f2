import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { OperatorError } from '../api.ts';
import type { Metric } from './metrics.ts';

/** OpenTelemetry's own variables say where to; `OTEL_RESOURCE_ATTRIBUTES` may name the environment. */
export const exportsMetrics = (env: NodeJS.ProcessEnv): boolean =>
  env['OTEL_EXPORTER_OTLP_ENDPOINT'] !== undefined || env['OTEL_EXPORTER_OTLP_METRICS_ENDPOINT'] !== undefined;

/** Sends the metrics once, over OTLP. Rejects with an `OperatorError` where they were not taken. */
export async function exportMetrics(metrics: readonly Metric[], version: string): Promise<void> {
  const exporter = new OTLPMetricExporter();
  const faults: string[] = [];
  const send = exporter.export.bind(exporter);
  // The reader reports a failure only to a log of its own.
  exporter.export = (batch, done) =>
    send(batch, (result) => {
      if (result.error !== undefined) faults.push(result.error.message);
      done(result);
    });
  // Longer than any export takes: the one that counts is asked for below.
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const service = { 'service.name': 'email-verification', 'service.version': version };
  const resource = resourceFromAttributes(service).merge(detectResources({ detectors: [envDetector] }));
  const provider = new MeterProvider({ resource, readers: [reader] });
  const meter = provider.getMeter('email-verification');
  for (const { name, unit, description, points } of metrics) {
    meter.createObservableGauge(name, { unit, description }).addCallback((gauge) => {
      for (const { value, attributes } of points) gauge.observe(value, attributes);
    });
  }
  await provider.shutdown();
  if (faults.length > 0) throw new OperatorError(`The collector did not accept the metrics: ${faults[0]}`);
}

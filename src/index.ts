import { firstApp } from './entrypoints/first-app.ts';
import { openBackground } from './runtime/wiring.ts';

export { DashboardEntrypoint } from './entrypoints/internal/dashboard.ts';
export { OperatorsObject, OrganisationObject } from './runtime/objects.ts';

// An isolate starts with what a first verification needs: all else is loaded on demand.
export default {
  fetch: firstApp.fetch,
  async queue(batch, env, ctx) {
    const { consumeDeadLetters, isDeadLetterQueue } = await import('./entrypoints/queue/dead-letters.ts');
    const { consumeWakes } = await import('./entrypoints/queue/wake.ts');
    const deps = openBackground(env, (work) => ctx.waitUntil(work));
    await (isDeadLetterQueue(batch.queue) ? consumeDeadLetters : consumeWakes)(batch, deps);
  },
  async scheduled(controller, env, ctx) {
    const { runCron } = await import('./entrypoints/cron/scheduled.ts');
    const deps = openBackground(env, (work) => ctx.waitUntil(work));
    await runCron(controller.cron, deps);
  },
} satisfies ExportedHandler<Env>;

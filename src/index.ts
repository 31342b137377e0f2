import { app } from './entrypoints/app.ts';
import { runCron } from './entrypoints/cron/scheduled.ts';
import { consumeDeadLetters, isDeadLetterQueue } from './entrypoints/queue/dead-letters.ts';
import { consumeWakes } from './entrypoints/queue/wake.ts';
import { openBackground } from './runtime/wiring.ts';

export { DashboardDoor } from './entrypoints/internal/door.ts';
export { OrganisationObject } from './runtime/organisation-object.ts';

export default {
  fetch: app.fetch,
  queue: (batch, env, ctx) =>
    (isDeadLetterQueue(batch.queue) ? consumeDeadLetters : consumeWakes)(
      batch,
      openBackground(env, (work) => ctx.waitUntil(work)),
    ),
  scheduled: (controller, env, ctx) =>
    runCron(
      controller.cron,
      openBackground(env, (work) => ctx.waitUntil(work)),
    ),
} satisfies ExportedHandler<Env>;

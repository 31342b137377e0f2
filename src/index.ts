import { runCron } from './entrypoints/cron/scheduled.ts';
import { createApp } from './entrypoints/http/app.ts';
import { consumeDeadLetters, isDeadLetterQueue } from './entrypoints/queue/dead-letters.ts';
import { consumeWakes } from './entrypoints/queue/wake.ts';
import { openBackground, openDeps } from './runtime/wiring.ts';

export { DashboardDoor } from './entrypoints/internal/door.ts';
export { OrganisationObject } from './runtime/organisation-object.ts';

const app = createApp(openDeps);

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

import { runCron } from './entrypoints/cron/scheduled.ts';
import { createApp } from './entrypoints/http/app.ts';
import { isDeadLetterQueue, recordDeadLetters } from './entrypoints/queue/dead-letters.ts';
import { consumeWakes } from './entrypoints/queue/wake.ts';
import { openServices } from './runtime/services.ts';

export { OrganisationObject } from './runtime/organisation-object.ts';

const app = createApp(openServices);

export default {
  fetch: app.fetch,
  queue: (batch, env, ctx) =>
    (isDeadLetterQueue(batch.queue) ? recordDeadLetters : consumeWakes)(
      batch,
      openServices(env, (work) => ctx.waitUntil(work)),
    ),
  scheduled: (controller, env, ctx) =>
    runCron(
      controller.cron,
      openServices(env, (work) => ctx.waitUntil(work)),
    ),
} satisfies ExportedHandler<Env>;

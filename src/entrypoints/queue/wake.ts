import * as z from 'zod';
import { type Id, parseId } from '../../kernel/ids.ts';
import { log } from '../../kernel/log.ts';
import { readableUpTo } from '../../kernel/version.ts';
import type { Services } from '../../runtime/services.ts';
import { MESSAGE_VERSION } from '../../services/bulk/wake.ts';

/** Whichever queue it comes by: a job's range, an organisation's part of a nightly run, or a look at its timers. */
const WakeMessage = z.object({
  v: z.int().min(1).max(readableUpTo(MESSAGE_VERSION)),
  organisation_id: z.string(),
  job_id: z.string().optional(),
  run_at: z.number().optional(),
  since: z.number().optional(),
});

/** Of a later release than the next, whatever else it holds: it comes again until that release is back. */
const NewerMessage = z.object({ v: z.int().min(readableUpTo(MESSAGE_VERSION) + 1) });

/** Seconds before a message is delivered again: 5, doubling, at most 5 minutes. */
const retryDelayS = (attempts: number): number => Math.min(300, 5 * 2 ** Math.max(0, attempts - 1));

/** Wakes organisations, each message apart: one that fails is delivered again alone. A malformed one is dropped. */
export async function consumeWakes(batch: Pick<MessageBatch, 'messages'>, services: Services): Promise<void> {
  const startedAt = services.now();
  await Promise.all(
    batch.messages.map(async (message) => {
      const parsed = WakeMessage.safeParse(message.body);
      const id = parsed.success ? parseId('org', parsed.data.organisation_id) : null;
      const jobText = parsed.data?.job_id;
      const job = jobText === undefined ? null : parseId('bj', jobText);
      if (NewerMessage.safeParse(message.body).success) {
        log('warn', 'wake_newer', { message_id: message.id });
        message.retry({ delaySeconds: retryDelayS(message.attempts) });
      } else if (id === null || (jobText !== undefined && job === null)) {
        log('error', 'wake_malformed', { message_id: message.id });
        message.ack();
      } else if (await work(services, id, job, parsed.data ?? {})) {
        message.ack();
      } else {
        message.retry({ delaySeconds: retryDelayS(message.attempts) });
      }
    }),
  );
  log('info', 'wake', { messages: batch.messages.length, ms: services.now() - startedAt });
}

function work(
  services: Services,
  id: Id<'org'>,
  job: Id<'bj'> | null,
  { run_at: runAt, since = runAt }: Pick<z.output<typeof WakeMessage>, 'run_at' | 'since'>,
): Promise<boolean> {
  if (job !== null) return services.wake.job(id, job);
  if (runAt === undefined || since === undefined) return services.wake.organisation(id);
  return services.nightly.organisation(id, runAt, since);
}

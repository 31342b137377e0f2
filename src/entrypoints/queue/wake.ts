import { log } from '../../kernel/log.ts';
import { runJob } from '../../services/bulk/run-job.ts';
import type { BackgroundDeps } from '../../services/deps.ts';
import { runOrganisationNight } from '../../services/nightly/organisation-night.ts';
import { runQueuedStep } from '../../services/nightly/run-night.ts';
import { type QueueMessage, readMessage } from '../../services/queue-message.ts';
import { runTimers } from '../../services/timers.ts';

/** Seconds before a message is delivered again: 5, doubling, at most 5 minutes. */
const retryDelayS = (attempts: number): number => Math.min(300, 5 * 2 ** Math.max(0, attempts - 1));

/** Does each message's work separately: a failing one is delivered again alone. A malformed one is dropped. */
export async function consumeWakes(batch: Pick<MessageBatch, 'messages'>, deps: BackgroundDeps): Promise<void> {
  const startedAt = deps.now();
  await Promise.all(
    batch.messages.map(async (message) => {
      const read = readMessage(message.body);
      if (read === null) {
        log('error', 'wake_malformed', { message_id: message.id });
        message.ack();
      } else if (read === 'newer') {
        // It comes again until a release that can read it is back.
        log('warn', 'wake_newer', { message_id: message.id });
        message.retry({ delaySeconds: retryDelayS(message.attempts) });
      } else if (await work(deps, read)) {
        message.ack();
      } else {
        message.retry({ delaySeconds: retryDelayS(message.attempts) });
      }
    }),
  );
  deps.endInvocation();
  log('info', 'wake', { messages: batch.messages.length, ms: deps.now() - startedAt });
}

function work(deps: BackgroundDeps, message: QueueMessage): Promise<boolean> {
  switch (message.kind) {
    case 'timers':
      return runTimers(deps, message);
    case 'job':
      return runJob(deps, message);
    case 'step':
      return runQueuedStep(deps, message);
    case 'night':
      return runOrganisationNight(deps, message);
  }
}

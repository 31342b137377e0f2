import { log } from '../../kernel/log.ts';
import type { Background } from '../../runtime/wiring.ts';
import { type QueueMessage, readMessage } from '../../services/queue-message.ts';

/** Seconds before a message is delivered again: 5, doubling, at most 5 minutes. */
const retryDelayS = (attempts: number): number => Math.min(300, 5 * 2 ** Math.max(0, attempts - 1));

/** Wakes organisations, each message apart: one that fails is delivered again alone. A malformed one is dropped. */
export async function consumeWakes(batch: Pick<MessageBatch, 'messages'>, background: Background): Promise<void> {
  const startedAt = background.now();
  await Promise.all(
    batch.messages.map(async (message) => {
      const read = readMessage(message.body);
      if (read === 'malformed') {
        log('error', 'wake_malformed', { message_id: message.id });
        message.ack();
      } else if (read === 'newer') {
        // It comes again until that release is back.
        log('warn', 'wake_newer', { message_id: message.id });
        message.retry({ delaySeconds: retryDelayS(message.attempts) });
      } else if (await work(background, read)) {
        message.ack();
      } else {
        message.retry({ delaySeconds: retryDelayS(message.attempts) });
      }
    }),
  );
  log('info', 'wake', { messages: batch.messages.length, ms: background.now() - startedAt });
}

function work(background: Background, message: QueueMessage): Promise<boolean> {
  switch (message.kind) {
    case 'timers':
      return background.wake.organisation(message.organisationId);
    case 'job':
      return background.wake.job(message.organisationId, message.jobId);
    case 'night':
      return background.nightly.organisation(message.organisationId, message.runAt, message.since);
  }
}

import { describeError, failureLevel, log } from '../../kernel/log.ts';
import type { Background } from '../../runtime/wiring.ts';

/** How the queue is called that takes what another one gave up on. */
const DEAD = /-dead$/;

export const isDeadLetterQueue = (queue: string): boolean => DEAD.test(queue);

/** Ids, a version and a time. */
const BODY_CHARS = 300;
const AGAIN_AFTER_S = 300;

/** Records messages that a queue gave up on, for the operator's status. Recorded twice, one stays one. */
export async function recordDeadLetters(
  batch: Pick<MessageBatch, 'queue' | 'messages' | 'ackAll' | 'retryAll'>,
  background: Background,
): Promise<void> {
  const { queue, messages } = batch;
  const letters = messages.map(({ id, body }) => ({
    queue: queue.replace(DEAD, ''),
    id,
    at: background.now(),
    body: JSON.stringify(body).slice(0, BODY_CHARS),
  }));
  try {
    await background.recordDeadLetters(letters);
    batch.ackAll();
  } catch (error) {
    log(failureLevel(error), 'dead_letters_not_recorded', {
      queue,
      messages: messages.length,
      ...describeError(error),
    });
    batch.retryAll({ delaySeconds: AGAIN_AFTER_S });
  }
}

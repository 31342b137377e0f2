import { describeError, failureLevel, log } from '../../kernel/log.ts';
import type { BackgroundDeps } from '../../services/deps.ts';
import { recordDeadLetters } from '../../services/operators.ts';

/** The suffix of a queue for messages that another gave up on. */
const DEAD = /-dead$/;

export const isDeadLetterQueue = (queue: string): boolean => DEAD.test(queue);

/** A body has ids, a version and a time. */
const BODY_CHARS = 300;
const AGAIN_AFTER_S = 300;

/** Records all messages that a queue gave up on; if that fails, none until they come again. */
export async function consumeDeadLetters(
  batch: Pick<MessageBatch, 'queue' | 'messages' | 'ackAll' | 'retryAll'>,
  deps: BackgroundDeps,
): Promise<void> {
  const { queue, messages } = batch;
  const letters = messages.map(({ id, body }) => ({
    queue: queue.replace(DEAD, ''),
    id,
    at: deps.now(),
    body: JSON.stringify(body).slice(0, BODY_CHARS),
  }));
  try {
    await recordDeadLetters(deps, letters);
    batch.ackAll();
  } catch (error) {
    log(failureLevel(error), 'dead_letters_not_recorded', {
      queue,
      messages: messages.length,
      ...describeError(error),
    });
    batch.retryAll({ delaySeconds: AGAIN_AFTER_S });
  }
  deps.endInvocation();
}

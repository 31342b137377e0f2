import * as z from 'zod';
import type { Prompt } from '../../domain/screening/model/circuit.ts';

/** A label in braces is a dozen tokens; a longer text is not the answer we asked for. */
const ANSWER_TOKENS_MAX = 64;

/** The part of the request that every chat interface takes. */
export const chatBody = ({ system, input }: Prompt) => ({
  messages: [
    { role: 'system', content: system },
    { role: 'user', content: input },
  ],
  temperature: 0,
  max_tokens: ANSWER_TOKENS_MAX,
});

/** The fields we read of a chat completion (OpenAI API reference, "Create chat completion"). */
const Completion = z.object({
  choices: z.tuple([z.object({ message: z.object({ content: z.string() }) })], z.unknown()),
});

/** The first choice's text; null when the reply is not a chat completion or lacks text (a refusal, a tool call). */
export function completionText(reply: unknown): string | null {
  const parsed = Completion.safeParse(reply);
  return parsed.success ? parsed.data.choices[0].message.content : null;
}

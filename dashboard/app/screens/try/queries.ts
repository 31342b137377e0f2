import { type ApiClient, answerOf } from '../../api/client.ts';
import type { Purpose } from '../../api/schema.ts';

export interface Question {
  readonly email: string;
  readonly name: string;
  readonly purpose: Purpose;
  readonly policy: string;
}

/** The decision with its rules one by one, and the trace that the answer names. */
export async function ask(api: ApiClient, { email, name, purpose, policy }: Question) {
  const body = {
    email,
    ...(name.trim() !== '' && { name: name.trim() }),
    context: { purpose },
    policy_slug: policy,
    explain: true,
  };
  const answer = await answerOf(api.POST('/v1/decide', { body }));
  const params = { path: { trace_id: answer.trace_id } };
  // The answer stands by itself; a trace that can't be read takes only the evidence away.
  const trace = await answerOf(api.GET('/v1/traces/{trace_id}', { params })).catch(() => null);
  return { answer, trace: trace?.trace ?? null };
}

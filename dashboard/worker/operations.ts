import { json, Refusal } from './answers.ts';
import type { Context } from './context.ts';
import { requireSession } from './session.ts';
import { isOperator } from './settings.ts';
import { withCookies } from './sign-in.ts';

const NOT_YOURS = 'This is for the people who run the service.';

/** `GET /auth/operations`: how the service does, for operators. The API asks its own list once more. */
export async function readOperations(context: Context, request: Request): Promise<Response> {
  const { user, cookies } = await requireSession(context, request);
  const operations = isOperator(context.settings, user.email)
    ? await context.entrypoint.readOperations(user.email)
    : null;
  if (operations === null) throw new Refusal('forbidden', NOT_YOURS);
  return withCookies(json(operations), cookies);
}

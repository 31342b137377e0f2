import { ApiError } from '../../api/error.ts';

const FORMS = {
  address: { holds: /^.+@[^\s@]+$/, fault: (text: string) => `“${text}” is not an email address.` },
  domain: { holds: /^[^\s@]+$/, fault: (text: string) => `“${text}” is not a domain name.` },
} as const;

type Form = keyof typeof FORMS;

/** Why a typed text is not sent; null if it looks valid. */
export const faultOf = (form: Form, text: string): string | null =>
  FORMS[form].holds.test(text) ? null : FORMS[form].fault(text);

/** Sends a typed text. A refusal is worded about the text, not the request's fields. */
export async function askOf<T>(form: Form, text: string, ask: () => Promise<T>): Promise<T> {
  const refusal = new ApiError(400, 'invalid_request', FORMS[form].fault(text), null);
  if (faultOf(form, text) !== null) throw refusal;
  return ask().catch((error: unknown) => {
    throw error instanceof ApiError && error.status === 400 ? refusal : error;
  });
}

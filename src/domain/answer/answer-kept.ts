import type { ShownVerification } from './answer-shown.ts';

/** The fields of an answer that traces and rows of bulk files keep. */
export const answerKept = (answer: ShownVerification) => ({
  verdict: answer.verdict,
  bounceProbability: answer.bounce_probability,
  recommendation: answer.recommendation,
  reason: answer.reason,
  emailType: answer.email_type,
  esp: answer.esp,
  mailboxType: answer.mailbox_type,
  actorClass: answer.actor_class,
  disposable: answer.signals.disposable,
  roleAccount: answer.signals.role_account,
  warning: answer.signals.warning ?? null,
});

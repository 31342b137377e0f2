import type { MailService } from '../../domain/feedback/outcomes.ts';
import type { MailServiceAdapter } from './adapter.ts';
import { mailgun } from './mailgun.ts';
import { postmark } from './postmark.ts';
import { resend } from './resend.ts';
import { sendgrid } from './sendgrid.ts';
import { createSes } from './ses.ts';
import type { SnsSettings } from './sns.ts';

export type MailServices = Readonly<Record<MailService, MailServiceAdapter>>;

export const createMailServices = (sns: SnsSettings): MailServices => ({
  ses: createSes(sns),
  sendgrid,
  postmark,
  mailgun,
  resend,
});

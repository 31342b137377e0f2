import { WorkerEntrypoint } from 'cloudflare:workers';
import { openDeps, openSignInMail } from '../../runtime/wiring.ts';
import type { ServiceDeps } from '../../services/deps.ts';
import { type FoundPerson, findPerson } from '../../services/people/find-person.ts';
import { mailSignInLink } from '../../services/people/mail-sign-in-link.ts';

/**
 * The dashboard's way in: its Worker reaches it over a service binding, and no address does. That Worker knows who is signed in;
 * what they may do is decided here. The release before and after it call the same methods.
 */
export class DashboardDoor extends WorkerEntrypoint<Env> {
  private deps(): ServiceDeps {
    return openDeps(this.env, (work) => this.ctx.waitUntil(work));
  }

  /** Null: the text is no address. */
  findPerson(email: string): Promise<FoundPerson | null> {
    return findPerson(this.deps(), email);
  }

  /** Whether mails are sent at all. */
  async sendsMail(): Promise<boolean> {
    return openSignInMail(this.env).mail.backend !== 'none';
  }

  /** False: it was not sent. */
  mailSignInLink(email: string, url: string): Promise<boolean> {
    return mailSignInLink(openSignInMail(this.env), email, url);
  }
}

import { WorkerEntrypoint } from 'cloudflare:workers';
import { DomainError, failedDependency } from '../../kernel/errors.ts';
import { parseId } from '../../kernel/ids.ts';
import { isOperatorEmail, openDeps, openSignInMail } from '../../runtime/wiring.ts';
import type { ServiceDeps } from '../../services/deps.ts';
import type { FoundPerson, JoiningPerson, OpenInvitation, PersonsOrganisation } from '../../services/people.ts';
import type { Operations } from '../../services/status.ts';
import { asPerson } from './person-requests.ts';

/** The person, in the terms of the dashboard's Worker. */
interface AskingPerson {
  readonly organisationId: string;
  readonly userId: string;
  /** Epoch milliseconds. */
  readonly signedInAt: number;
  readonly hasSecondFactor: boolean;
}

const NOT_FOUND = { error: { code: 'not_found', message: 'There is nothing at this path.', trace_id: 'rq_none' } };

/**
 * The dashboard's entrypoint: its Worker reaches it over a service binding, and no address does. That Worker knows who
 * is signed in; what they may do is decided here. Methods load their code when called: most isolates serve only keys.
 */
export class DashboardEntrypoint extends WorkerEntrypoint<Env> {
  /** Serves a call of `/v1` as the person, by the same routes and frame as with a key. */
  async serve(
    { organisationId, userId, signedInAt, hasSecondFactor }: AskingPerson,
    request: Request,
  ): Promise<Response> {
    const [organisation, user] = [parseId('org', organisationId), parseId('u', userId)];
    const isOpen = new URL(request.url).pathname.startsWith('/v1/');
    if (!isOpen || organisation === null || user === null) return Response.json(NOT_FOUND, { status: 404 });
    const { app } = await import('../app.ts');
    const person = { organisationId: organisation, userId: user, signedInAt, hasSecondFactor };
    return app.fetch(asPerson(request, person), this.env, this.ctx);
  }

  /** Null means the text is not an address. */
  async findPerson(email: string): Promise<FoundPerson | null> {
    const { findPerson } = await import('../../services/people.ts');
    return this.run((deps) => findPerson(deps, email));
  }

  async listOrganisations(userId: string): Promise<readonly PersonsOrganisation[]> {
    const { listOrganisations } = await import('../../services/people.ts');
    return this.run((deps) => listOrganisations(deps, userId));
  }

  async listInvitations(email: string): Promise<readonly OpenInvitation[]> {
    const { listInvitations } = await import('../../services/people.ts');
    return this.run((deps) => listInvitations(deps, email));
  }

  /** False: the invitation is gone, or is for another address. */
  async acceptInvitation(person: JoiningPerson, organisationId: string, invitationId: string): Promise<boolean> {
    const { acceptInvitation } = await import('../../services/people.ts');
    return this.run((deps) => acceptInvitation(deps, person, organisationId, invitationId));
  }

  /** For people who may register without an invitation, which the dashboard decides. */
  async createOrganisation(person: JoiningPerson, name: string): Promise<{ readonly id: string }> {
    const { createOrganisationFor } = await import('../../services/organisations.ts');
    return this.run((deps) => createOrganisationFor(deps, person, name));
  }

  /** The API's URL for samples of code. Null means `PUBLIC_URL` is not set. */
  async publicUrl(): Promise<string | null> {
    return this.deps().publicUrl;
  }

  async sendsMail(): Promise<boolean> {
    return openSignInMail(this.env).mail.backend !== 'none';
  }

  /** False: not sent. */
  async mailSignInLink(email: string, url: string): Promise<boolean> {
    const { mailSignInLink } = await import('../../services/mails.ts');
    return mailSignInLink(openSignInMail(this.env), email, url);
  }

  /** The service's health. Null means this address, proved to be the person's, is not an operator's. */
  async readOperations(email: string): Promise<Operations | null> {
    if (!isOperatorEmail(this.env, email)) return null;
    const { readOperations } = await import('../../services/status.ts');
    return this.run((deps) => readOperations(deps));
  }

  /** Over a binding an error has only its message: an outage's says that it is one. */
  private async run<T>(work: (deps: ServiceDeps) => Promise<T>): Promise<T> {
    const deps = this.deps();
    try {
      return await work(deps);
    } catch (error) {
      const isBusy = error instanceof DomainError && error.code === 'rate_limited';
      throw isBusy || failedDependency(error) !== null
        ? new Error('what the API needs is away', { cause: error })
        : error;
    } finally {
      deps.endInvocation();
    }
  }

  private deps(): ServiceDeps {
    return openDeps(this.env, (work) => this.ctx.waitUntil(work));
  }
}

/** A role in an organisation. */
export type Role = 'viewer' | 'member' | 'admin';

/** Who asks, as a session says. What they may do is the API's to decide. */
export interface PersonClaims {
  readonly organisationId: string;
  readonly userId: string;
  /** When the session began, epoch milliseconds. */
  readonly signedInAt: number;
  /** They proved a second factor in it. */
  readonly hasSecondFactor: boolean;
}

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
}

export interface PersonsOrganisation {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** It refuses people who have proved no second factor. */
  readonly needsSecondFactor: boolean;
}

export interface OpenInvitation {
  readonly id: string;
  readonly organisationId: string;
  readonly organisationName: string;
  readonly role: Role;
}

/** What an address stands for. `email` is its normal form. */
export interface FoundPerson {
  readonly id: string;
  readonly email: string;
  /** The address is a member's, or was invited. */
  readonly isExpected: boolean;
}

/** The API's entrypoint for this Worker (`DashboardEntrypoint`), over a service binding. Each call rejects while the API is away. */
export interface ApiBinding {
  /** Serves a call of `/v1` as the person. */
  serve(person: PersonClaims, request: Request): Promise<Response>;
  /** Null: the text is not an address. The id is the one that the API has for the address, else a new one. */
  findPerson(email: string): Promise<FoundPerson | null>;
  listOrganisations(userId: string): Promise<readonly PersonsOrganisation[]>;
  listInvitations(email: string): Promise<readonly OpenInvitation[]>;
  /** False: the invitation is gone, or another address was invited. */
  acceptInvitation(person: Person, organisationId: string, invitationId: string): Promise<boolean>;
  createOrganisation(person: Person, name: string): Promise<{ readonly id: string }>;
  /** How the service does, for the operator screen. Null: the address is no operator's there. */
  readOperations(email: string): Promise<object | null>;
  /** Where programs reach the API. Null: it does not say. */
  publicUrl(): Promise<string | null>;
  /** Whether mails are sent at all. */
  sendsMail(): Promise<boolean>;
  /** Mails a link for signing in. False: it was not sent. */
  mailSignInLink(email: string, url: string): Promise<boolean>;
}

export type Role = 'viewer' | 'member' | 'admin';

/** The session's person. The API decides what they may do. */
export interface PersonClaims {
  readonly organisationId: string;
  readonly userId: string;
  /** When the session began, epoch milliseconds. */
  readonly signedInAt: number;
  /** The session passed a second factor. */
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
  /** It refuses people without a second factor. */
  readonly needsSecondFactor: boolean;
}

export interface OpenInvitation {
  readonly id: string;
  readonly organisationId: string;
  readonly organisationName: string;
  readonly role: Role;
}

/** The person behind an address. `email` is its normal form. */
export interface FoundPerson {
  readonly id: string;
  readonly email: string;
  /** The address is a member's, or was invited. */
  readonly isExpected: boolean;
}

/** The API's entrypoint for this Worker (`DashboardEntrypoint`). Each call rejects while the API is away. */
export interface ApiBinding {
  /** Serves a call of `/v1` as the person. */
  serve(person: PersonClaims, request: Request): Promise<Response>;
  /** Null when the text is no address. The id is the one that the API has for the address, else a new one. */
  findPerson(email: string): Promise<FoundPerson | null>;
  listOrganisations(userId: string): Promise<readonly PersonsOrganisation[]>;
  listInvitations(email: string): Promise<readonly OpenInvitation[]>;
  /** False: the invitation is gone, or is for another address. */
  acceptInvitation(person: Person, organisationId: string, invitationId: string): Promise<boolean>;
  createOrganisation(person: Person, name: string): Promise<{ readonly id: string }>;
  /** The service's health, for the operator screen. Null: the address is not an operator's there. */
  readOperations(email: string): Promise<object | null>;
  /** The API's URL for programs, or null. */
  publicUrl(): Promise<string | null>;
  sendsMail(): Promise<boolean>;
  /** Mails a sign-in link. False: not sent. */
  mailSignInLink(email: string, url: string): Promise<boolean>;
}

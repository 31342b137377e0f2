import { parseAddress } from '../../domain/address/parse.ts';
import type { Address } from '../../domain/address/types.ts';
import type { FindMailHosts, MailHosts } from '../../domain/dns/mail-hosts.ts';
import type { Lists } from '../../domain/lists/types.ts';
import type { MailboxProvider, MailHostClassifier } from '../../domain/mailbox-provider/classify.ts';
import { type Gate, gate } from '../../domain/verification/precheck.ts';
import { type SandboxCase, sandboxCase } from '../../domain/verification/sandbox.ts';
import { type Traits, traitsOf } from '../../domain/verification/signals.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Admission, Operation } from '../operation.ts';
import { inSandbox } from './in-sandbox.ts';

export interface LocalFactsDeps {
  readonly lists: Lists;
  readonly findMailHosts: FindMailHosts;
  readonly classifyMailHosts: MailHostClassifier;
  /** Keyed hash of a normalised address within an organisation, 64 hex digits. */
  hashAddress(organisationId: Id<'org'>, normalised: string): string;
}

/** What is known of an address for nothing: from its text, the lists, DNS and the account's own rules. */
export interface LocalFacts {
  /** Null: the syntax is broken. */
  readonly address: Address | null;
  readonly addressHash: string | null;
  /** The address's domain; of a broken one what could be made of the text after the last `@`, or `""`. */
  readonly domain: string;
  readonly admission: Admission;
  /** The sandbox's case, where a test key names one. */
  readonly sandbox: SandboxCase | null;
  /** Null when the syntax is broken: nothing was looked up. */
  readonly mail: MailHosts | null;
  readonly provider: MailboxProvider;
  readonly traits: Traits;
  readonly gate: Gate;
}

const NO_PROVIDER: MailboxProvider = { mxProvider: null, esp: 'unknown', gateway: false, family: null };

/** The address that a request is about, and the name the organisation knows it by. */
export type Subject =
  | { readonly ok: true; readonly address: Address; readonly addressHash: string }
  | { readonly ok: false; readonly domain: string };

export function subjectOf(
  { hashAddress }: Pick<LocalFactsDeps, 'hashAddress'>,
  { organisationId }: Pick<Operation, 'organisationId'>,
  email: string,
): Subject {
  const parsed = parseAddress(email);
  if (!parsed.ok) return { ok: false, domain: parsed.domain };
  const { address } = parsed;
  return { ok: true, address, addressHash: hashAddress(organisationId, address.normalised) };
}

/** Asks the organisation's object and DNS side by side. Throws the object's refusal; a failed look-up is a finding. */
export async function gatherLocalFacts(
  deps: LocalFactsDeps,
  op: Pick<Operation, 'mode' | 'meter' | 'startedAt' | 'admit'>,
  subject: Subject,
  deadlineMs: number,
): Promise<LocalFacts> {
  if (!subject.ok) {
    const admission = await op.admit(null, { deadlineMs });
    const traits = traitsOf(null, deps.lists);
    return {
      address: null,
      addressHash: null,
      domain: subject.domain,
      admission,
      sandbox: null,
      mail: null,
      provider: NO_PROVIDER,
      traits,
      gate: gate(null),
    };
  }
  const { address, addressHash } = subject;
  const { domain } = address;
  const sandbox = sandboxCase(op, address);
  const world = sandbox === null ? deps : inSandbox(deps, sandbox, Math.max(0, deadlineMs - op.startedAt));
  const [admission, mail] = await Promise.all([
    op.admit({ addressHash, domain }, { deadlineMs }),
    world.findMailHosts(domain, deadlineMs),
  ]);
  const refusal = sandbox?.refuses?.(op.meter) ?? null;
  if (refusal !== null) throw refusal;
  const traits = traitsOf(address, world.lists);
  const hosts = mail.kind === 'found' ? mail.hosts : [];
  return {
    address,
    addressHash,
    domain,
    admission,
    sandbox,
    mail,
    provider: deps.classifyMailHosts({ hosts, domain, isFree: traits.consumer }),
    traits,
    gate: gate({ mail, disposableTier: world.lists.disposableTier(domain), rules: admission.rules }),
  };
}

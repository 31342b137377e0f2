import type { Observed } from '../../src/domain/answer/observed.ts';
import { NO_HOSTS } from '../../src/domain/mailbox-provider/classify.ts';
import { FOUND, traits } from '../unit/answer/prechecks.ts';

/** An unremarkable address at a company's domain. */
export const OBSERVED: Observed = {
  address: { local: 'ada', domain: 'example.com', normalised: 'ada@example.com' },
  addressHash: 'a'.repeat(64),
  identityHash: 'b'.repeat(64),
  domain: 'example.com',
  domainName: 'c'.repeat(32),
  sandbox: null,
  mail: FOUND,
  provider: NO_HOSTS,
  backEnds: [],
  disposableTier: null,
  disposableBy: null,
  traits: traits(),
  meantDomain: null,
  isCorrected: { asTyped: false, toMeant: false },
  features: [],
  sharedAcceptsAll: null,
};

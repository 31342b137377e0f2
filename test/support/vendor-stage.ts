import { PROVIDER_IDS, type ProviderId } from '../../src/domain/belief/provider.ts';
import type { FaultName } from './vendors/faults.ts';
import { startVendorServer, type VendorServer } from './vendors/server.ts';
import type { Behaviour, VendorAccount, VendorAccounts } from './vendors/simulator.ts';
import type { Statement } from './vendors/wire/form.ts';

/** Decides a vendor's behaviour for each call. */
export type Script = (provider: ProviderId, email: string) => Behaviour;

/** All vendors on this machine, acting by a script that may change between calls. */
export interface VendorStage extends VendorServer {
  play(script: Script): void;
}

/** Distinct prices, so that a sum identifies the vendors; low, so that each is always worth asking. */
const ACCOUNTS = Object.fromEntries(
  PROVIDER_IDS.map((id, at): [ProviderId, VendorAccount] => [
    id,
    { apiKey: `key-of-${id}`, priceMicros: 101 + 2 ** at },
  ]),
) as VendorAccounts;

export const fails = (fault: FaultName): Behaviour => ({ afterMs: 0, fault });

/** Declines at once: free, and no evidence about the address or the vendor. */
export const STEPS_ASIDE = fails('refusal');

/** Answers at once; default `deliverable`. */
export const says = (email: string, change: Partial<Statement> = {}): Behaviour => ({
  afterMs: 0,
  statement: { email, verdict: 'deliverable', acceptsAll: false, role: false, consumer: false, variant: 0, ...change },
});

export async function startVendorStage(): Promise<VendorStage> {
  let script: Script = (_, email) => says(email);
  const server = await startVendorServer(ACCOUNTS, (provider, email) => script(provider, email));
  return {
    ...server,
    play(next) {
      script = next;
    },
  };
}

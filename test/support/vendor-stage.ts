import { PROVIDER_IDS, type ProviderId } from '../../src/domain/belief/provider.ts';
import type { FaultName } from './vendors/faults.ts';
import { startVendorServer, type VendorServer } from './vendors/server.ts';
import type { Behaviour, VendorAccount, VendorAccounts } from './vendors/simulator.ts';
import type { Statement } from './vendors/wire/form.ts';

/** What a vendor does with a call, as the play has it. */
export type Script = (provider: ProviderId, email: string) => Behaviour;

/** All vendors on this machine, acting by a script that may change between calls. */
export interface VendorStage extends VendorServer {
  play(script: Script): void;
}

/** A price of its own each, so that a sum tells whose it is; low, so that any of them is always worth asking. */
const ACCOUNTS = Object.fromEntries(
  PROVIDER_IDS.map((id, at): [ProviderId, VendorAccount] => [
    id,
    { apiKey: `key-of-${id}`, priceMicros: 101 + 2 ** at },
  ]),
) as VendorAccounts;

export const fails = (fault: FaultName): Behaviour => ({ afterMs: 0, fault });

/** Turns the question down at once: that costs nothing, says nothing of the address, and nothing of the vendor. */
export const STEPS_ASIDE = fails('refusal');

/** Answers at once: `deliverable` unless told otherwise. */
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

/** A webhook as it came: what was signed is the body, byte for byte. */
export interface SignedBody {
  /** `Stripe-Signature`: `t=1795000000,v1=5257a8…,v1=…`; null where it is missing. */
  readonly signature: string | null;
  readonly body: string;
}

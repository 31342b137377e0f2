/** A webhook as it came: what was signed is the body, byte for byte. */
export interface SignedBody {
  /** Those that its route declares, under their names as declared there; null where one is missing. */
  readonly headers: Readonly<Record<string, string | null>>;
  readonly body: string;
}

export { canonicalise } from './canonical.ts';
export { parseDomain } from './domain.ts';
export { decodeALabels } from './idna.ts';
export { MASKED_UNPARSED, maskAddress } from './mask.ts';
export { parseAddress } from './parse.ts';
export type { Address, AddressFault, ParsedAddress, ParsedDomain } from './types.ts';

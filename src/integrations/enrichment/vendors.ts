import {
  ENRICHMENT_VENDOR_IDS,
  type EnrichmentVendor,
  type EnrichmentVendorId,
} from '../../domain/policy/enrichment.ts';
import { hunter } from './hunter.ts';
import { peopleDataLabs } from './people-data-labs.ts';
import {
  createEnrichmentVendor,
  type EnrichmentAdapter,
  type EnrichmentVendorSettings,
  type Exchange,
} from './vendor.ts';

const ADAPTERS: Readonly<Record<EnrichmentVendorId, EnrichmentAdapter>> = { hunter, pdl: peopleDataLabs };

/** The vendors that are on: those with a key. */
export const createEnrichmentVendors = (
  settings: Readonly<Record<EnrichmentVendorId, EnrichmentVendorSettings>>,
  exchange: Exchange,
): readonly EnrichmentVendor[] =>
  ENRICHMENT_VENDOR_IDS.map((id) => createEnrichmentVendor(ADAPTERS[id], settings[id], exchange)).filter(
    (vendor) => vendor !== null,
  );

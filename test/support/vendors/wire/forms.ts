import type { ProviderId } from '../../../../src/domain/belief/provider.ts';
import { bouncer } from './bouncer.ts';
import { emailable } from './emailable.ts';
import type { WireForm } from './form.ts';
import { hunter } from './hunter.ts';
import { kickbox } from './kickbox.ts';
import { neverbounce } from './neverbounce.ts';
import { reacher } from './reacher.ts';
import { zerobounce } from './zerobounce.ts';

/** How each vendor is asked and answers. */
export const WIRE_FORMS: Readonly<Record<ProviderId, WireForm>> = {
  zerobounce,
  neverbounce,
  kickbox,
  emailable,
  bouncer,
  hunter,
  reacher,
};

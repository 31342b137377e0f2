import { expect, it } from 'vitest';
import { FAKES } from '../../scripts/mail-fakes/services.ts';
import { MAIL_SERVICES } from '../../src/domain/feedback/outcomes.ts';
import { EVENT_MS, EVENTS, signedBody, stageOf } from '../support/mail-services.ts';

it.each(MAIL_SERVICES)('the runtime’s own cryptography tells a webhook of %s from a forged one', async (service) => {
  const { fake, adapter } = stageOf(service, FAKES[service], EVENT_MS);
  const sent = signedBody(fake.sign(EVENTS[service].delivered?.event ?? {}, EVENT_MS));
  expect(await adapter.verify(sent, [fake.secret], EVENT_MS)).toMatchObject({ ok: true });
  const stranger = FAKES[service](EVENT_MS);
  const forged = signedBody(stranger.sign(EVENTS[service].delivered?.event ?? {}, EVENT_MS));
  expect((await adapter.verify(forged, [fake.secret], EVENT_MS)).ok).toBe(false);
});

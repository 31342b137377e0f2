import { describe, expect, it } from 'vitest';
import {
  type AlertKind,
  type AlertSettings,
  isAlertOff,
  type PrivacyChange,
  type PrivacySettings,
  withAlerts,
  withPrivacy,
} from '../../../src/domain/metering/organisation-settings.ts';
import { type Id, newId } from '../../../src/kernel/ids.ts';

describe('a change of the privacy settings', () => {
  const before: PrivacySettings = { off: ['hunter', 'kickbox'], retention: { traces: 30, events: 60 } };

  it.each<readonly [title: string, before: PrivacySettings | null, change: PrivacyChange, after: PrivacySettings]>([
    ['none, of none: as the service does it', null, {}, { off: [], retention: {} }],
    ['none leaves what is set', before, {}, before],
    ['a vendor goes off', null, { vendor: { id: 'hunter', enabled: false } }, { off: ['hunter'], retention: {} }],
    [
      'vendors stand in order',
      before,
      { vendor: { id: 'bouncer', enabled: false } },
      { ...before, off: ['bouncer', 'hunter', 'kickbox'] },
    ],
    ['one that is off stays so, once', before, { vendor: { id: 'hunter', enabled: false } }, before],
    [
      'a vendor comes back, alone',
      before,
      { vendor: { id: 'hunter', enabled: true } },
      { ...before, off: ['kickbox'] },
    ],
    ['one that is on stays so', before, { vendor: { id: 'bouncer', enabled: true } }, before],
    [
      'a time is set, the others stay',
      before,
      { retention: { events: 7, history: 90 } },
      { ...before, retention: { traces: 30, events: 7, history: 90 } },
    ],
    [
      'a time goes back to the service’s',
      before,
      { retention: { traces: null } },
      { ...before, retention: { events: 60 } },
    ],
  ])('%s', (_, settings, change, after) => {
    expect(withPrivacy(settings, change)).toEqual(after);
  });
});

describe('a change of the alerts', () => {
  const half: AlertKind = { of: 'verifications', share: 80 };
  const whole: AlertKind = { of: 'verifications', share: 100 };
  const other: AlertKind = { of: 'screenings', share: 100 };
  const [ada, ben] = [newId('u', 1), newId('u', 2)] as [Id<'u'>, Id<'u'>];
  const before: AlertSettings = { off: [half], recipients: [ada] };
  const on = (kind: AlertKind) => ({ ...kind, enabled: true });
  const off = (kind: AlertKind) => ({ ...kind, enabled: false });

  it.each<
    readonly [
      title: string,
      before: AlertSettings | null,
      change: Parameters<typeof withAlerts>[1],
      after: AlertSettings,
    ]
  >([
    ['none, of none: every alert, to every admin', null, {}, { off: [], recipients: null }],
    ['none leaves what is set', before, {}, before],
    [
      'one goes off, in order of its allowance, then its share',
      before,
      { alerts: [off(whole), off(other)] },
      { ...before, off: [other, half, whole] },
    ],
    [
      'a smaller share stands before a larger one, whichever went off first',
      { ...before, off: [whole] },
      { alerts: [off(half)] },
      { ...before, off: [half, whole] },
    ],
    ['one that is off stays so, once', before, { alerts: [off(half)] }, before],
    ['one comes back', before, { alerts: [on(half)] }, { ...before, off: [] }],
    ['another share of the same allowance is another', before, { alerts: [on(whole)] }, before],
    [
      'the same share of another allowance is another',
      { ...before, off: [other, whole] },
      { alerts: [on(whole)] },
      { ...before, off: [other] },
    ],
    ['of two changes of one the later counts', null, { alerts: [off(half), on(half)] }, { off: [], recipients: null }],
    [
      'recipients are named once, in order',
      before,
      { recipients: [ben, ada, ben] },
      { ...before, recipients: [ada, ben] },
    ],
    ['without recipients every admin is told', before, { recipients: null }, { ...before, recipients: null }],
  ])('%s', (_, settings, change, after) => {
    expect(withAlerts(settings, change)).toEqual(after);
  });

  it.each([
    ['that is off', before, half, true],
    ['of another share', before, whole, false],
    ['of another allowance', before, { ...other, share: half.share }, false],
    ['where nothing is set', null, half, false],
    ['of a release that kept no such settings', undefined, half, false],
  ])('is off: one %s', (_, settings, kind, isOff) => {
    expect(isAlertOff(settings, kind)).toBe(isOff);
  });
});

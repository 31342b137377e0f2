/** The default policy as release 1 made it: byte for byte what organisations of then keep. */
export const RELEASE_1_DEFAULT = JSON.stringify({
  name: 'Default',
  rules: [
    {
      id: 'disposable',
      description: 'A disposable address.',
      when: {
        all: [
          { path: 'verification.email_type', op: 'eq', value: 'disposable' },
          {
            not: {
              path: 'verification.reason',
              op: 'in',
              value: ['address_blocklisted', 'domain_blocklisted', 'no_mx'],
            },
          },
        ],
      },
      decision: 'deny',
    },
    ...[
      ['undeliverable', 'Mail to this address bounces.', 'drop', 'deny'],
      ['challenge', 'The address should be confirmed first.', 'challenge', 'challenge'],
      ['hold', 'Whether mail arrives here is uncertain.', 'hold', 'review'],
    ].map(([id, description, value, decision]) => ({
      id,
      description,
      when: { path: 'verification.recommendation', op: 'eq', value },
      decision,
    })),
    ...[
      ['relay', 'A relay address.'],
      ['role', 'A role address.'],
      ['free', 'A free mailbox.'],
    ].map(([id, description]) => ({
      id,
      description,
      when: { path: 'verification.email_type', op: 'eq', value: id },
      decision: 'allow',
    })),
  ],
  default: 'allow',
  icp: null,
});

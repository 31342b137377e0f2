import { domainOf, localOf, pick, type Statement, secondsAsMs, type WireForm } from './form.ts';

type Words = readonly [status: string, subStatus: string];

const UNKNOWN: readonly [Words, ...Words[]] = [
  ['unknown', 'mail_server_did_not_respond'],
  ['unknown', 'timeout_exceeded'],
  ['unknown', 'greylisted'],
  ['unknown', 'antispam_system'],
];
const RISKY: readonly [Words, ...Words[]] = [
  ['spamtrap', ''],
  ['abuse', ''],
  ['do_not_mail', 'toxic'],
  ['do_not_mail', 'disposable'],
  ['invalid', 'mailbox_quota_exceeded'],
];

/** A role address that works is `do_not_mail`, unless the domain accepts everything and the mailbox was proved otherwise. */
function words({ verdict, acceptsAll, role, variant }: Statement): Words {
  switch (verdict) {
    case 'deliverable':
      if (acceptsAll) return ['valid', role ? 'role_based_accept_all' : 'accept_all'];
      return role
        ? ['do_not_mail', 'role_based']
        : pick(
            [
              ['valid', ''],
              ['valid', 'alias_address'],
            ],
            variant,
          );
    case 'undeliverable':
      return pick(
        [
          ['invalid', 'mailbox_not_found'],
          ['invalid', 'does_not_accept_mail'],
        ],
        variant,
      );
    case 'catch_all':
      return role ? ['do_not_mail', 'role_based_catch_all'] : ['catch-all', ''];
    case 'risky':
      return pick(RISKY, variant);
    case 'unknown':
      return pick(UNKNOWN, variant);
  }
}

/** One message for both, under status 200. */
const REFUSED = { status: 200, json: { error: 'Invalid API key or your account ran out of credits' } };

export const zerobounce: WireForm = {
  method: 'GET',
  path: '/v2/validate',
  read({ query }) {
    const email = query.get('email');
    if (email === null || !query.has('ip_address')) return null;
    return { key: query.get('api_key') ?? '', email, patienceMs: secondsAsMs(query.get('timeout'), 30, 3, 60) };
  },
  badRequest: { status: 200, json: { error: 'Missing parameter: email' } },
  badKey: REFUSED,
  noCredit: REFUSED,
  // Their "API Shield".
  rateLimited: { status: 403, json: '' },
  answer(statement) {
    const { email, verdict, acceptsAll, consumer } = statement;
    const [status, subStatus] = words(statement);
    return {
      status: 200,
      json: {
        address: email,
        status,
        sub_status: subStatus,
        free_email: consumer,
        did_you_mean: null,
        account: localOf(email),
        domain: domainOf(email),
        domain_age_days: '9692',
        smtp_provider: 'example',
        mx_found: 'true',
        mx_record: `mx.${domainOf(email)}`,
        catchall_domain: verdict === 'unknown' ? null : acceptsAll,
        firstname: null,
        lastname: null,
        gender: null,
        country: null,
        region: null,
        city: null,
        zipcode: null,
        processed_at: '2026-08-20 13:51:28.488',
      },
      billed: status !== 'unknown',
    };
  },
};

/** What is true of an address, as far as anybody can know without sending mail. */
export type Kind =
  | 'ordinary'
  | 'unusual but valid'
  | 'broken syntax'
  | 'mistyped provider'
  | 'disposable'
  | 'takes no mail'
  | 'unusual mail hosts'
  | 'no such name there'
  | 'placeholder'
  | 'DNS fails for now';

/** Kinds that must not be refused; all others should be found. */
export const GOOD: ReadonlySet<Kind> = new Set<Kind>([
  'ordinary',
  'unusual but valid',
  'unusual mail hosts',
  'DNS fails for now',
]);

/** Written for this comparison. Names below `.test` and large providers are answered by the local DNS. */
export const CASES: Readonly<Record<Kind, readonly string[]>> = {
  ordinary: [
    'anna.schmidt@gmail.com',
    'j.martinez84@outlook.com',
    'priya.nair@yahoo.co.in',
    'lars.holm@proton.me',
    'mei.tanaka@icloud.com',
    'sophie.bernard@orange.fr',
    'tom@fastmail.com',
    'k.nowak@wp.pl',
    'contact@gitlab.com',
    'ada.lovelace@stripe.com',
    'grace.hopper@ibm.com',
    'alan.turing@shopify.com',
  ],
  'unusual but valid': [
    "mary.o'neill@gitlab.com",
    'anna.schmidt+news@gmail.com',
    'x@stripe.com',
    'maria.lopez+tag=2@gitlab.com',
    'ray_bradshaw@outlook.com',
    '"john smith"@gitlab.com',
    'josé@gitlab.com',
    '2841907735@qq.com',
  ],
  'unusual mail hosts': ['ada@implicit-mx.test', 'ada@half-dead-mx.test', 'ada@alias.test'],
  'broken syntax': [
    'anna.schmidt',
    'anna@@gmail.com',
    'anna..schmidt@gitlab.com',
    '.anna@gitlab.com',
    'anna@gitlab..com',
    'anna@-gitlab.com',
    'anna schmidt@gitlab.com',
    'anna@gitlab.com,bob@gitlab.com',
    'mailto:anna@gitlab.com',
    'anna@[300.1.1.1]',
  ],
  'mistyped provider': [
    'anna@gmial.com',
    'anna@gamil.com',
    'anna@gmail.con',
    'anna@hotmial.com',
    'anna@outlok.com',
    'anna@yahooo.com',
    'anna@iclod.com',
    'anna@gnail.com',
  ],
  disposable: [
    'x1@mailinator.com',
    'x1@guerrillamail.com',
    'x1@yopmail.com',
    'x1@sharklasers.com',
    'x1@grr.la',
    'x1@10minutemail.com',
    'x1@temp-mail.org',
    'x1@maildrop.cc',
  ],
  'takes no mail': ['ada@nxdomain.test', 'ada@null-mx.test', 'ada@no-mail.test', 'ada@dead-mx.test'],
  'no such name there': ['a_b@gmail.com', 'ab@gmail.com', 'anna-schmidt@gmail.com', '1a@yahoo.com'],
  placeholder: ['asdf@gmail.com', 'test@test.com', 'qwertyuiop@outlook.com', 'aaaaaaaa@gmail.com'],
  'DNS fails for now': ['ada@servfail.test', 'ada@timeout.test'],
};

/**
 * The mailbox providers most people are at. A list of disposable domains that holds one of them was tampered with, or is
 * none: nothing else in it is believed. The bundled free providers are more, and small ones do stand on honest lists.
 */
export const LARGE_PROVIDERS: ReadonlySet<string> = new Set([
  ...[
    'gmail.com',
    'googlemail.com',
    'outlook.com',
    'hotmail.com',
    'live.com',
    'msn.com',
    'hotmail.co.uk',
    'hotmail.fr',
  ],
  ...['yahoo.com', 'ymail.com', 'yahoo.co.uk', 'yahoo.co.jp', 'yahoo.co.in', 'yahoo.fr', 'yahoo.de', 'aol.com'],
  ...['icloud.com', 'me.com', 'mac.com', 'proton.me', 'protonmail.com', 'fastmail.com', 'zoho.com', 'hey.com'],
  ...['gmx.de', 'gmx.net', 'gmx.com', 'web.de', 't-online.de', 'freenet.de', 'mail.com', 'orange.fr', 'free.fr'],
  ...['laposte.net', 'libero.it', 'virgilio.it', 'wp.pl', 'o2.pl', 'onet.pl', 'seznam.cz', 'mail.ru', 'yandex.ru'],
  ...['yandex.com', 'rambler.ru', 'ukr.net', 'qq.com', '163.com', '126.com', 'sina.com', 'naver.com', 'daum.net'],
  ...['uol.com.br', 'bol.com.br', 'rediffmail.com', 'comcast.net', 'att.net', 'verizon.net', 'btinternet.com'],
]);

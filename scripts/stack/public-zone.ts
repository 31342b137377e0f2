import { a, aaaa, mx, txt, type Zone, type ZoneRecord } from './dns-zone.ts';

/**
 * The large mailbox hosts and some well-known companies as public DNS has them (late 2026), for when no public resolver can
 * be reached. A stand-in, not a source: hosts move, and addresses rotate by place and hour (each only shows that the name
 * has one). A name that is missing here is not answered at all.
 */
interface PublicRow {
  /** Names with the same records, separated by spaces. */
  readonly names: string;
  readonly mx: string;
  readonly a: string;
  readonly aaaa?: string;
  readonly spf?: string;
}

const GMAIL =
  '5 gmail-smtp-in.l.google.com, 10 alt1.gmail-smtp-in.l.google.com, 20 alt2.gmail-smtp-in.l.google.com, 30 alt3.gmail-smtp-in.l.google.com, 40 alt4.gmail-smtp-in.l.google.com';
const WORKSPACE =
  '1 aspmx.l.google.com, 5 alt1.aspmx.l.google.com, 5 alt2.aspmx.l.google.com, 10 alt3.aspmx.l.google.com, 10 alt4.aspmx.l.google.com';
const YAHOO = '1 mta5.am0.yahoodns.net, 1 mta6.am0.yahoodns.net, 1 mta7.am0.yahoodns.net';
const PRODIGY =
  '5 al-ip4-mx-vip1.prodigy.net, 5 al-ip4-mx-vip2.prodigy.net, 5 ff-ip4-mx-vip1.prodigy.net, 5 ff-ip4-mx-vip2.prodigy.net';
const COMCAST =
  '5 mx1a1.comcast.net, 5 mx1c1.comcast.net, 5 mx1h1.comcast.net, 5 mx2a1.comcast.net, 5 mx2c1.comcast.net, 5 mx2h1.comcast.net';
const netease = (name: string) =>
  `10 ${name}mx01.mxmail.netease.com, 10 ${name}mx02.mxmail.netease.com, 10 ${name}mx03.mxmail.netease.com, 50 ${name}mx00.mxmail.netease.com`;
const outlook = (name: string) => `2 ${name}.olc.protection.outlook.com`;

const MICROSOFT_SPF = 'v=spf1 include:spf2.outlook.com -all';
const YAHOO_SPF = 'v=spf1 redirect=_spf.mail.yahoo.com';
const PROOFPOINT_SPF = 'v=spf1 include:%{ir}.%{v}.%{d}.spf.has.pphosted.com ~all';

// prettier-ignore
const MAILBOX_HOSTS: readonly PublicRow[] = [
  { names: 'gmail.com googlemail.com', mx: GMAIL, a: '142.250.72.197', aaaa: '2607:f8b0:4005:80a::2005', spf: 'v=spf1 redirect=_spf.google.com' },
  { names: 'outlook.com', mx: '5 outlook-com.olc.protection.outlook.com', a: '52.96.222.226', spf: MICROSOFT_SPF },
  { names: 'hotmail.com', mx: outlook('hotmail-com'), a: '204.79.197.212', spf: MICROSOFT_SPF },
  { names: 'live.com windowslive.com', mx: outlook('live-com'), a: '204.79.197.212', spf: MICROSOFT_SPF },
  { names: 'msn.com', mx: outlook('msn-com'), a: '204.79.197.219', spf: MICROSOFT_SPF },
  { names: 'hotmail.co.uk hotmail.fr hotmail.de hotmail.it hotmail.es outlook.fr outlook.de outlook.es live.co.uk live.fr live.nl', mx: outlook('eur'), a: '204.79.197.212', spf: MICROSOFT_SPF },
  { names: 'yahoo.com ymail.com rocketmail.com', mx: YAHOO, a: '98.137.11.163', aaaa: '2001:4998:24:120d::1:0', spf: YAHOO_SPF },
  { names: 'yahoo.ca yahoo.com.br yahoo.com.mx', mx: YAHOO, a: '98.136.103.23', spf: YAHOO_SPF },
  { names: 'yahoo.co.uk yahoo.fr yahoo.de yahoo.es yahoo.it', mx: '1 mx-eu.mail.am0.yahoodns.net', a: '212.82.100.150', spf: YAHOO_SPF },
  { names: 'yahoo.co.in yahoo.com.au yahoo.in', mx: '1 mx-apac.mail.gm0.yahoodns.net', a: '106.10.248.150', spf: YAHOO_SPF },
  { names: 'yahoo.co.jp', mx: '10 mx1.mail.yahoo.co.jp, 10 mx2.mail.yahoo.co.jp, 10 mx3.mail.yahoo.co.jp', a: '183.79.219.252', spf: 'v=spf1 include:spf.yahoo.co.jp ~all' },
  { names: 'aol.com verizon.net', mx: '10 mx-aol.mail.gm0.yahoodns.net', a: '212.82.100.163', spf: YAHOO_SPF },
  { names: 'icloud.com me.com mac.com', mx: '10 mx01.mail.icloud.com, 10 mx02.mail.icloud.com', a: '17.253.144.10', spf: 'v=spf1 include:icloud.com ~all' },
  { names: 'proton.me protonmail.com pm.me', mx: '5 mail.protonmail.ch, 10 mailsec.protonmail.ch', a: '185.70.42.45', spf: 'v=spf1 include:_spf.protonmail.ch ~all' },
  { names: 'gmx.net gmx.de gmx.at gmx.ch', mx: '10 mx00.emig.gmx.net, 10 mx01.emig.gmx.net', a: '82.165.229.87', spf: 'v=spf1 ip4:212.227.126.128/25 ip4:212.227.15.0/24 ip4:212.227.17.0/27 -all' },
  { names: 'gmx.com gmx.co.uk gmx.us', mx: '10 mx00.gmx.net, 10 mx01.gmx.net', a: '82.165.229.138', spf: 'v=spf1 ip4:212.227.126.128/25 ip4:212.227.15.0/24 ip4:212.227.17.0/27 -all' },
  { names: 'mail.com email.com usa.com', mx: '10 mx00.mail.com, 10 mx01.mail.com', a: '82.165.229.59', spf: 'v=spf1 ip4:74.208.4.192/26 ip4:212.227.126.128/25 -all' },
  { names: 'web.de', mx: '100 mx-ha02.web.de, 100 mx-ha03.web.de', a: '82.165.229.83', spf: 'v=spf1 ip4:212.227.126.128/25 ip4:212.227.15.0/25 ip4:212.227.17.0/27 ~all' },
  { names: 't-online.de', mx: '10 mx00.t-online.de, 10 mx01.t-online.de, 10 mx02.t-online.de, 10 mx03.t-online.de', a: '62.138.239.100', spf: 'v=spf1 include:_spf.t-online.de ~all' },
  { names: 'freenet.de', mx: '10 mx.freenet.de', a: '62.104.23.42', spf: 'v=spf1 ip4:195.4.92.0/24 ~all' },
  { names: 'posteo.de posteo.net', mx: '10 mx01.posteo.de, 10 mx02.posteo.de, 10 mx03.posteo.de, 10 mx04.posteo.de', a: '89.146.220.134', spf: 'v=spf1 mx ~all' },
  { names: 'mailbox.org', mx: '10 mx1.mailbox.org, 10 mx2.mailbox.org, 20 mx3.mailbox.org', a: '185.97.174.196', spf: 'v=spf1 ip4:80.241.56.0/21 ip4:195.10.208.0/24 ~all' },
  { names: 'tutanota.com tuta.com tuta.io tutanota.de', mx: '0 mail.tutanota.de', a: '185.205.69.12', spf: 'v=spf1 include:spf.tutanota.de -all' },
  { names: 'zoho.com zohomail.com', mx: '10 smtpin.zoho.com, 20 smtpin2.zoho.com, 50 smtpin3.zoho.com', a: '136.143.190.155', spf: 'v=spf1 include:zoho.com -all' },
  { names: 'fastmail.com fastmail.fm', mx: '10 in1-smtp.messagingengine.com, 20 in2-smtp.messagingengine.com', a: '103.168.172.65', spf: 'v=spf1 include:spf.messagingengine.com -all' },
  { names: 'hey.com', mx: '10 home-mx.app.hey.com', a: '172.64.151.239', spf: 'v=spf1 include:_spf.hey.com ~all' },
  { names: 'hushmail.com', mx: '10 mx.hushmail.com', a: '65.39.178.45', spf: 'v=spf1 ip4:65.39.178.0/24 -all' },
  { names: 'yandex.ru yandex.com yandex.by yandex.kz', mx: '10 mx.yandex.ru', a: '77.88.55.88', aaaa: '2a02:6b8:a::a', spf: 'v=spf1 redirect=_spf.yandex.ru' },
  { names: 'ya.ru', mx: '10 mx.yandex.ru', a: '77.88.55.242', aaaa: '2a02:6b8::2:242', spf: 'v=spf1 redirect=_spf.yandex.ru' },
  { names: 'mail.ru bk.ru inbox.ru list.ru', mx: '10 mxs.mail.ru', a: '217.69.139.200', aaaa: '2a00:1148:db00:0:b0b0::1', spf: 'v=spf1 redirect=_spf.mail.ru' },
  { names: 'rambler.ru', mx: '10 inmx.rambler.ru', a: '81.19.82.98', spf: 'v=spf1 ip4:81.19.78.96/27 ip4:81.19.78.0/27 -all' },
  { names: 'ukr.net', mx: '10 mxs.ukr.net', a: '104.18.8.128', spf: 'v=spf1 ip4:212.42.77.224/27 -all' },
  { names: 'qq.com', mx: '10 mx3.qq.com, 20 mx2.qq.com, 30 mx1.qq.com', a: '123.151.137.18', spf: 'v=spf1 include:spf.mail.qq.com -all' },
  { names: 'foxmail.com', mx: '10 mx3.qq.com, 20 mx2.qq.com, 30 mx1.qq.com', a: '183.60.8.36', spf: 'v=spf1 include:spf.mail.qq.com -all' },
  { names: '163.com', mx: netease('163'), a: '123.58.180.7', spf: 'v=spf1 include:spf.163.com -all' },
  { names: '126.com', mx: netease('126'), a: '123.126.96.210', spf: 'v=spf1 include:spf.163.com -all' },
  { names: 'sina.com', mx: '5 freemx1.sinamail.sina.com.cn, 10 freemx2.sinamail.sina.com.cn, 10 freemx3.sinamail.sina.com.cn', a: '123.126.45.205', spf: 'v=spf1 include:spf.sinamail.sina.com.cn -all' },
  { names: 'naver.com', mx: '10 mx1.naver.com, 10 mx2.naver.com, 10 mx3.naver.com', a: '223.130.192.247', spf: 'v=spf1 ip4:125.209.208.0/20 ip4:117.52.140.128/26 ~all' },
  { names: 'rediffmail.com', mx: '10 mx.rediffmail.rediff.akadns.net', a: '104.91.70.161', spf: 'v=spf1 include:_spf.rediffmail.com ~all' },
  { names: 'orange.fr wanadoo.fr', mx: '10 smtp-in.orange.fr, 10 smtp-in2.orange.fr', a: '193.252.133.20', spf: 'v=spf1 include:spf.orange.fr -all' },
  { names: 'free.fr', mx: '10 mx1.free.fr, 20 mx2.free.fr', a: '212.27.48.10', aaaa: '2a01:e0c:1::1', spf: 'v=spf1 include:_spf.free.fr ?all' },
  { names: 'laposte.net', mx: '10 smtpz4.laposte.net', a: '178.213.66.20', spf: 'v=spf1 ip4:160.92.124.64/26 ~all' },
  { names: 'sfr.fr neuf.fr', mx: '10 smtp-in.sfr.fr', a: '93.20.31.117', spf: 'v=spf1 ip4:93.17.128.0/24 ~all' },
  { names: 'libero.it', mx: '10 smtp-in.libero.it', a: '213.209.17.209', spf: 'v=spf1 ip4:213.209.8.0/21 include:_oxspf.libero.it -all' },
  { names: 'virgilio.it', mx: '10 smtp-in.virgilio.it', a: '213.209.17.209', spf: 'v=spf1 ip4:213.209.8.0/21 -all' },
  { names: 'tiscali.it', mx: '10 etb-1.mail.tiscali.it, 20 imp-1.mail.tiscali.it', a: '213.205.32.10', spf: 'v=spf1 ip4:213.205.33.0/24 ~all' },
  { names: 'seznam.cz email.cz', mx: '10 mx1.seznam.cz, 20 mx2.seznam.cz', a: '77.75.79.222', aaaa: '2a02:598:a::79:222', spf: 'v=spf1 include:spf.seznam.cz ~all' },
  { names: 'wp.pl', mx: '5 mx.wp.pl', a: '212.77.98.9', spf: 'v=spf1 include:_spf.wp.pl -all' },
  { names: 'onet.pl', mx: '10 mx.poczta.onet.pl', a: '13.227.146.90', spf: 'v=spf1 include:_spf.onet.pl -all' },
  { names: 'interia.pl', mx: '10 mx.interia.pl', a: '217.74.66.167', spf: 'v=spf1 ip4:217.74.64.0/22 -all' },
  { names: 'ziggo.nl', mx: '10 mxin5.ziggo.nl, 10 mxin10.ziggo.nl', a: '84.116.6.15', spf: 'v=spf1 include:_spf.ziggo.nl ~all' },
  { names: 'kpnmail.nl', mx: '10 mx.kpnmail.nl', a: '145.7.170.131', spf: 'v=spf1 include:_spf.kpnmail.nl ~all' },
  { names: 'telenet.be', mx: '10 mx1.telenet-ops.be, 10 mx2.telenet-ops.be', a: '195.130.131.20', spf: 'v=spf1 include:_spf.telenet-ops.be ~all' },
  { names: 'btinternet.com', mx: '10 mx.bt.prod.cloud.openwave.ai', a: '213.120.234.38', spf: 'v=spf1 include:spf.btinternet.com ~all' },
  { names: 'comcast.net', mx: COMCAST, a: '96.99.227.0', spf: 'v=spf1 include:_spf.comcast.net ~all' },
  { names: 'att.net sbcglobal.net bellsouth.net', mx: PRODIGY, a: '144.160.155.43', spf: 'v=spf1 include:_spf.mail.yahoo.com ~all' },
  { names: 'cox.net', mx: '10 cxr.mx.a.cloudfilter.net', a: '45.60.45.114', spf: 'v=spf1 include:_spf.cox.net ~all' },
  { names: 'charter.net', mx: '10 pkvw-mx.msg.pkvw.co.charter.net', a: '47.43.18.9', spf: 'v=spf1 include:_spf.charter.net ~all' },
  { names: 'uol.com.br', mx: '10 mx.uol.com.br', a: '200.147.3.157', spf: 'v=spf1 include:_spf.uol.com.br ~all' },
  { names: 'bigpond.com', mx: '10 extmail.bigpond.com', a: '203.36.148.7', spf: 'v=spf1 include:_spf.telstra.com ~all' },
];

// prettier-ignore
const COMPANIES: readonly PublicRow[] = [
  { names: 'google.com', mx: '10 smtp.google.com', a: '142.250.72.206', aaaa: '2607:f8b0:4005:80a::200e', spf: 'v=spf1 include:_spf.google.com ~all' },
  { names: 'stripe.com', mx: WORKSPACE, a: '198.137.150.81', spf: 'v=spf1 include:_spf.google.com include:spf1.stripe.com -all' },
  { names: 'netflix.com', mx: WORKSPACE, a: '54.74.73.31', spf: 'v=spf1 include:_spf.google.com include:amazonses.com -all' },
  { names: 'shopify.com airbnb.com gitlab.com', mx: WORKSPACE, a: '23.227.38.33', spf: 'v=spf1 include:_spf.google.com ~all' },
  { names: 'microsoft.com', mx: '10 microsoft-com.mail.protection.outlook.com', a: '13.107.246.45', spf: 'v=spf1 include:spf.protection.outlook.com -all' },
  { names: 'github.com', mx: '0 github-com.mail.protection.outlook.com', a: '140.82.112.3', spf: 'v=spf1 include:spf.protection.outlook.com ~all' },
  { names: 'mit.edu', mx: '100 mit-edu.mail.protection.outlook.com', a: '23.55.197.188', spf: 'v=spf1 include:spf.protection.outlook.com -all' },
  { names: 'ibm.com', mx: '5 mx0a-001b2d01.pphosted.com, 5 mx0b-001b2d01.pphosted.com', a: '23.32.24.105', spf: PROOFPOINT_SPF },
  { names: 'oracle.com', mx: '20 mx0a-00069f02.pphosted.com, 20 mx0b-00069f02.pphosted.com', a: '138.1.33.162', spf: PROOFPOINT_SPF },
  { names: 'mimecast.com', mx: '10 us-smtp-inbound-1.mimecast.com, 10 us-smtp-inbound-2.mimecast.com', a: '141.193.213.10', spf: 'v=spf1 include:us._netblocks.mimecast.com ~all' },
  { names: 'barracuda.com', mx: '10 d239508a.ess.barracudanetworks.com, 10 d239508b.ess.barracudanetworks.com', a: '104.18.6.114', spf: 'v=spf1 include:spf.ess.barracudanetworks.com ~all' },
  { names: 'amazon.com', mx: '5 amazon-smtp.amazon.com', a: '205.251.242.103', spf: 'v=spf1 include:spf1.amazon.com include:amazonses.com -all' },
  { names: 'cisco.com', mx: '10 alln-mx-01.cisco.com, 20 rcdn-mx-01.cisco.com, 30 aer-mx-01.cisco.com', a: '72.163.4.185', aaaa: '2001:420:1101:1::185', spf: 'v=spf1 redirect=spfa._spf.cisco.com' },
  { names: 'example.com example.net example.org', mx: '0 .', a: '23.192.228.80', aaaa: '2600:1408:ec00:36::1736:7f24', spf: 'v=spf1 -all' },
];

// Throw-away mailboxes: they do take mail.
// prettier-ignore
const DISPOSABLE: readonly PublicRow[] = [
  { names: 'mailinator.com', mx: '10 mail.mailinator.com, 10 mail2.mailinator.com', a: '172.67.70.163' },
  { names: 'guerrillamail.com sharklasers.com grr.la', mx: '10 mail.guerrillamail.com', a: '168.119.142.36' },
  { names: 'yopmail.com', mx: '10 smtp.yopmail.com', a: '87.98.164.155' },
];

const RECORDS = new Map<string, readonly ZoneRecord[]>(
  [...MAILBOX_HOSTS, ...COMPANIES, ...DISPOSABLE].flatMap((row) => {
    const records = [...mx(row.mx), ...a(row.a), ...(row.aaaa ? aaaa(row.aaaa) : []), ...(row.spf ? txt(row.spf) : [])];
    return row.names.split(' ').map((name): [string, ZoneRecord[]] => [name, records]);
  }),
);

export const PUBLIC_NAMES: readonly string[] = [...RECORDS.keys()];

/** The hosts named above that have no row of their own: each has the address of the first domain that names it. */
const HOSTS = new Map<string, readonly ZoneRecord[]>(
  [...MAILBOX_HOSTS, ...COMPANIES, ...DISPOSABLE]
    .flatMap((row) =>
      mx(row.mx).flatMap((record) => (record.type === 'MX' ? [[record.exchange, a(row.a)] as const] : [])),
    )
    .reverse(),
);

/** `name` in lower case, without the final dot. */
export const publicZone: Zone = (name) => {
  const records = RECORDS.get(name) ?? HOSTS.get(name);
  return records ? { ttlS: 300, records } : null;
};

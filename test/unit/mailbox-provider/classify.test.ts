import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyMailHosts } from '../../../scripts/lists/shipped.ts';
import patterns from '../../../src/domain/mailbox-provider/patterns.json' with { type: 'json' };

const classify = (hosts: readonly string[], domain = 'acme.com', isFree = false) => {
  // `consumer.test.ts` is about these.
  const { consumerHosts: _, ...said } = classifyMailHosts({ hosts, domain, isFree });
  return said;
};

describe('mailbox provider of a business domain', () => {
  it.each<[host: string, mxProvider: string, esp: string, family: string | null, why: string]>([
    ['aspmx.l.google.com', 'google', 'hosted_suite_a', 'google_workspace', 'Workspace'],
    ['alt2.aspmx.l.google.com', 'google', 'hosted_suite_a', 'google_workspace', 'Workspace, a backup host'],
    ['aspmx3.googlemail.com', 'google', 'hosted_suite_a', 'google_workspace', 'Workspace, an older backup host'],
    ['smtp.google.com', 'google', 'hosted_suite_a', 'google_workspace', 'Workspace since 2023'],
    ['gmr-smtp-in.l.google.com', 'google', 'unknown', 'google_forwarding', 'forwarding, no mailbox'],
    ['acme-com.mail.protection.outlook.com', 'microsoft', 'hosted_suite_b', 'microsoft_365', 'Microsoft 365'],
    ['acme-com.p-v1.mx.microsoft', 'microsoft', 'hosted_suite_b', 'microsoft_365', 'Microsoft 365 with DNSSEC'],
    [
      'mx-biz.mail.am0.yahoodns.net',
      'yahoo',
      'unknown',
      'yahoo_business',
      'the small-business hosts stand below the consumer ones',
    ],
    ['mx01.mail.icloud.com', 'apple', 'unknown', 'apple_icloud', 'a custom domain of iCloud+'],
    ['mx.zoho.eu', 'zoho', 'unknown', 'zoho', 'Zoho in Europe'],
    ['mail.protonmail.ch', 'proton', 'unknown', 'proton', 'a custom domain at Proton'],
    ['in1-smtp.messagingengine.com', 'fastmail', 'unknown', 'fastmail', 'a custom domain at Fastmail'],
    ['mx.yandex.net', 'yandex', 'unknown', 'yandex', 'Yandex 360'],
    ['mx1.emailsrvr.com', 'unknown', 'unknown', 'rackspace', 'known to the model, no public label'],
    ['route1.mx.cloudflare.net', 'unknown', 'unknown', 'cloudflare_routing', 'a forwarder'],
    ['inbound-smtp.eu-west-1.amazonaws.com', 'unknown', 'unknown', 'amazon_ses', 'SES receiving'],
    ['ec2-1-2-3-4.eu-west-1.compute.amazonaws.com', 'unknown', 'unknown', 'amazon_ec2', "somebody's server, not SES"],
    ['mx1.unlisted.net', 'unknown', 'unknown', null, 'no row'],
  ])('%s is %s, %s, %s: %s', (host, mxProvider, esp, family) => {
    expect(classify([host])).toEqual({ mxProvider, esp, gateway: false, family });
  });

  it.each([
    ['mx0a-00123401.pphosted.com', 'proofpoint'],
    ['mx1-eu1.ppe-hosted.com', 'proofpoint'],
    ['eu-smtp-inbound-1.mimecast.com', 'mimecast'],
    ['d1234.a.ess.uk.barracudanetworks.com', 'barracuda'],
    ['mx1.acme.iphmx.com', 'unknown'],
    ['cluster1.eu.messagelabs.com', 'unknown'],
    ['mx-01-eu-west-1.prod.hydra.sophos.com', 'unknown'],
  ])('%s is a gateway, labelled %s, and hides what stands behind it', (host, mxProvider) => {
    expect(classify([host])).toMatchObject({ mxProvider, esp: 'unknown', gateway: true });
  });

  it.each([
    'aspmx.l.google.com.evil.com',
    'notpphosted.com',
    'xmimecast.com',
    'aspmx-l-google.com',
    'protection.outlook.com.cdn.net',
    'com',
    '',
  ])('%j only looks like a known host', (host) => {
    expect(classify([host])).toEqual({ mxProvider: 'unknown', esp: 'unknown', gateway: false, family: null });
  });
});

describe('mailbox provider of a domain of its own or of consumers', () => {
  it.each([
    ['gmail.com', ['gmail-smtp-in.l.google.com', 'alt1.gmail-smtp-in.l.google.com'], 'google', 'google_gmail'],
    ['hotmail.fr', ['eur.olc.protection.outlook.com'], 'microsoft', 'microsoft_outlook'],
    ['yahoo.com', ['mta5.am0.yahoodns.net'], 'yahoo', 'yahoo'],
    ['icloud.com', ['mx01.mail.icloud.com'], 'apple', 'apple_icloud'],
    ['proton.me', ['mail.protonmail.ch'], 'proton', 'proton'],
    ['gmx.de', ['mx00.emig.gmx.net'], 'unknown', 'gmx'],
    ['small-isp.net', ['aspmx.l.google.com'], 'google', 'google_workspace'],
  ])('%s is a consumer domain', (domain, hosts, mxProvider, family) => {
    expect(classify(hosts, domain, true)).toEqual({ mxProvider, esp: 'consumer_esp', gateway: false, family });
  });

  it('knows a consumer domain by its hosts, where they serve no other', () => {
    expect(classify(['live-xx.olc.protection.outlook.com'], 'live.xx').esp).toBe('consumer_esp');
  });

  it('says unknown about a consumer domain behind a gateway', () => {
    expect(classify(['mx0a-1.pphosted.com'], 'isp.net', true)).toMatchObject({
      mxProvider: 'proofpoint',
      esp: 'unknown',
      gateway: true,
    });
  });

  it.each([
    ['acme.com', 'mail.acme.com', 'self_hosted', 'its own host'],
    ['acme.com', 'acme.com', 'self_hosted', 'an implicit MX (RFC 5321 §5.1)'],
    ['eu.acme.co.uk', 'mx.acme.co.uk', 'self_hosted', 'another name under its registrable domain'],
    ['acme.co.uk', 'mx.rival.co.uk', 'unknown', 'only the public suffix is shared'],
    ['anna.github.io', 'mx.ben.github.io', 'unknown', "only a hosting provider's suffix is shared"],
    ['google.com', 'smtp.google.com', 'hosted_suite_a', 'the suite is its own'],
  ])('%s with %s is %s: %s', (domain, host, esp) => {
    expect(classify([host], domain).esp).toBe(esp);
  });
});

describe('several hosts', () => {
  it.each([
    [['mx0a-1.pphosted.com', 'aspmx.l.google.com'], 'proofpoint', 'unknown', true, 'a gateway before Google hides it'],
    [
      ['aspmx.l.google.com', 'mx0a-1.pphosted.com'],
      'google',
      'hosted_suite_a',
      false,
      'a gateway after Google does not',
    ],
    [['mx1.unlisted.net', 'aspmx.l.google.com'], 'google', 'hosted_suite_a', false, 'a host no row knows says nothing'],
    [
      ['mail.acme.com', 'acme-com.mail.protection.outlook.com'],
      'microsoft',
      'hosted_suite_b',
      false,
      'a host no row knows says nothing',
    ],
    [['mail.acme.com', 'mx1.unlisted.net'], 'unknown', 'self_hosted', false, 'none known: the best one is its own'],
    [['mx1.unlisted.net', 'mail.acme.com'], 'unknown', 'unknown', false, 'none known: the best one is not its own'],
  ])('%j: %s, %s, gateway %s: %s', (hosts, mxProvider, esp, gateway) => {
    expect(classify(hosts)).toMatchObject({ mxProvider, esp, gateway });
  });

  it('is without a provider, and without its kind, where mail hosts are missing', () => {
    const nothing = { mxProvider: null, esp: 'unknown', gateway: false, family: null };
    expect(classify([])).toEqual(nothing);
    expect(classify([], 'gmail.com', true)).toEqual(nothing);
  });

  it('finds every row by its suffix and below it, never by a longer last label', () => {
    const label = fc.stringMatching(/^[a-z0-9]{1,10}$/);
    fc.assert(
      fc.property(fc.constantFrom(...patterns), label, ({ suffix, family }, before) => {
        expect(classify([suffix]).family).toBe(family);
        expect(classify([`x${before}.${suffix}`]).family).not.toBeNull();
        expect(classify([`${suffix}.${before}.example`]).family).toBeNull();
      }),
    );
  });
});

import { createHash, type KeyPairKeyObjectResult, sign } from 'node:crypto';

/** One value in DER (X.690). */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Uint8Array.of(tag, ...size), content]);
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const NULL = der(0x05);
/** sha256WithRSAEncryption, 1.2.840.113549.1.1.11. */
const SHA256_RSA = sequence(der(0x06, Buffer.from('2a864886f70d01010b', 'hex')), NULL);
/** The common name, 2.5.4.3. */
const name = (text: string): Buffer =>
  sequence(der(0x31, sequence(der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from(text)))));
/** GeneralizedTime: YYYYMMDDHHMMSSZ. */
const time = (ms: number): Buffer =>
  der(0x18, Buffer.from(`${new Date(ms).toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`));

/** A self-signed certificate (RFC 5280) of an RSA key, as PEM. */
export function selfSigned(
  { publicKey, privateKey }: KeyPairKeyObjectResult,
  { from, to }: { readonly from: number; readonly to: number },
): string {
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const serial = der(0x02, Uint8Array.of(1, ...createHash('sha256').update(spki).digest().subarray(0, 8)));
  const holder = name('sns.amazonaws.com');
  const body = sequence(
    der(0xa0, der(0x02, Uint8Array.of(2))),
    serial,
    SHA256_RSA,
    holder,
    sequence(time(from), time(to)),
    holder,
    spki,
  );
  const signature = der(0x03, Uint8Array.of(0), sign('sha256', body, privateKey));
  const lines =
    sequence(body, SHA256_RSA, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

import { expect, it } from 'vitest';
import { startService } from '../support/service.ts';
import { findInStores } from '../support/stores.ts';

const service = await startService();

it('the walk finds a text in every store, in any case and encoding, and nothing that is not there', async () => {
  const { id } = await service.createOrganisation();
  const { storage } = service.objectOf(id);
  storage.sql.exec("insert into timer (name, due_at) values ('Grüße 1', 0)");
  storage.sql.exec('insert into timer (name, due_at) values (?, 0)', 'gr\\u00fc\\u00dfe 2');
  await service.database.query(
    `insert into app_user (id, organisation_id, email, name, created_at) values ('u', 'o', 'x', 'GRüße', 0)`,
    [],
  );
  await service.database.query(
    `insert into address_event (organisation_id, address_hash, metric, last_at) values ('o', decode('c0ffee', 'hex'), 'm', 0)`,
    [],
  );
  service.facts.set('company:grüße.example', '{}');
  await service.files.bucket.put('utf16', new Uint8Array(Buffer.from('a;grüße', 'utf16le')));
  await service.files.bucket.put('grüße', '');
  service.wakes.push({ body: 'grüße' });
  expect(await findInStores(service, ['grüße', 'c0ffee', 'nowhere'])).toEqual([
    'kv company:grüße.example: grüße',
    `object ${id} timer: grüße`,
    'postgres address_event: c0ffee',
    'postgres app_user: grüße',
    'queue wakes: grüße',
    'r2 grüße: grüße',
    'r2 utf16: grüße',
  ]);
  service.wakes.length = 0;
});

it.each([
  ['base64', 'mail Grace.Hopper@example.com', (text: string) => Buffer.from(text).toString('base64')],
  ['base64, one byte on', '1 mail Grace.Hopper@example.com', (text: string) => Buffer.from(text).toString('base64')],
  ['base64, two bytes on', '12 mail Grace.Hopper@example.com', (text: string) => Buffer.from(text).toString('base64')],
  ['base64 of URLs', '¿? mail grace.hopper@example.com', (text: string) => Buffer.from(text).toString('base64url')],
  ['a URL', 'mail Grace.Hopper@example.com', encodeURIComponent],
  ['a URL, every sign escaped', 'Grace%2EHopper%40example%2Ecom', (text: string) => text],
  ['HTML', 'Grace&#46;Hopper&#64;example&#46;com', (text: string) => text],
  ['HTML by hex numbers', 'grace&#x2E;hopper&#x40;example&#x2e;com', (text: string) => text],
])('the walk finds an address in the form of %s', async (_, text, encode) => {
  service.wakes.push({ body: `held ${encode(text)} held` });
  expect(await findInStores(service, ['Grace.Hopper@example.com'])).toEqual(['queue wakes: Grace.Hopper@example.com']);
  service.wakes.length = 0;
});

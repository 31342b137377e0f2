import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Detected, detect, type LayoutHints, SAMPLE_BYTES } from '../../../../src/domain/bulk/csv/detect.ts';
import { encoded, file, quote, utf8 } from './files.ts';

const NO_WISHES: LayoutHints = { hasHeader: null, emailColumn: null };
const seen = (bytes: Uint8Array, wishes: Partial<LayoutHints> = {}) =>
  detect(bytes.subarray(0, SAMPLE_BYTES), bytes.length <= SAMPLE_BYTES, { ...NO_WISHES, ...wishes });
function found(source: string | Uint8Array, wishes: Partial<LayoutHints> = {}): Detected {
  const detected = seen(typeof source === 'string' ? utf8(source) : source, wishes);
  if (typeof detected === 'string') throw new Error(detected);
  return detected;
}
const latin1 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
const LIST = Array.from({ length: 5_000 }, (_, i) => `name ${i},ada${i}@example.com\n`).join('');

describe('encoding', () => {
  const FILES: readonly (readonly [string, Uint8Array, Detected['dialect']['encoding'], number])[] = [
    ['UTF-8', utf8('e-mail,stra\u00dfe\na@example.com,b\n'), 'utf-8', 0],
    ['UTF-8 with its mark', utf8('\ufeffe-mail,stra\u00dfe\na@example.com,b\n'), 'utf-8', 3],
    ['UTF-16LE', encoded('\ufeffe-mail,stra\u00dfe\na@example.com,b\n', 'utf-16le'), 'utf-16le', 2],
    ['UTF-16BE', encoded('\ufeffe-mail,stra\u00dfe\na@example.com,b\n', 'utf-16be'), 'utf-16be', 2],
    ['Windows-1252', latin1('e-mail,stra\u00dfe\na@example.com,b\n'), 'utf-8', 0],
    ['both in one file', Buffer.concat([utf8('e-mail,stra\u00dfe\n'), latin1('a@example.com,b\u00fc\n')]), 'utf-8', 0],
    [
      'Windows-1252 beyond the sample',
      Buffer.concat([utf8(`e-mail,stra\u00dfe\n${LIST}`), latin1('\u00fc,\u00fc\n')]),
      'utf-8',
      0,
    ],
  ];
  it.each(FILES)('%s', (_, bytes, encoding, prefaceBytes) => {
    expect(found(bytes)).toMatchObject({
      dialect: { encoding, prefaceBytes },
      columns: ['e-mail', 'stra\u00dfe'],
      hasHeader: true,
    });
  });

  it('does not mind where the sample is cut', () => {
    const tail = `,"${'\u00fc\u20ac'.repeat(40)}\n, ; ; ;"\n`;
    for (let more = 0; more < 12; more += 1) {
      const bytes = utf8(`name,email,${'x'.repeat(more)}\n${`Ada,ada@example.com${tail}`.repeat(500)}`);
      expect(found(bytes)).toMatchObject({
        hasHeader: true,
        emailColumn: 1,
        dialect: { delimiter: ',', lineBreak: 'lf' },
      });
      const wide = encoded(
        `\ufeffname,email,${'x'.repeat(more)}\n${`Ada,ada@example.com${tail}`.repeat(500)}`,
        'utf-16be',
      );
      expect(found(wide)).toMatchObject({ emailColumn: 1 });
    }
  });
});

describe('Excel’s line that names the delimiter', () => {
  const LINES: readonly (readonly [string, string, number])[] = [
    ['sep=;\r\n', ';', 7],
    ['"sep=|"\n', '|', 8],
    ['SEP=\t\r', '\t', 6],
    ['sep=;\r\r\n', ';', 8],
  ];
  it.each(LINES)('%j is not a row, and the delimiter is the one it names', (line, delimiter, prefaceBytes) => {
    const text = `${line}Name${delimiter}E-Mail, main\nAda${delimiter}ada@example.com\n`.replaceAll(
      '\n',
      line.endsWith('\r') ? '\r' : '\n',
    );
    const expected = { hasHeader: true, emailColumn: 1, columns: ['Name', 'E-Mail, main'] };
    expect(found(text)).toMatchObject({ ...expected, dialect: { delimiter, prefaceBytes } });
    const wide = { delimiter, prefaceBytes: 2 + 2 * prefaceBytes, encoding: 'utf-16be' };
    expect(found(encoded(`\ufeff${text}`, 'utf-16be'))).toMatchObject({ ...expected, dialect: wide });
  });

  it.each(['sep=x\nemail\n', 'email\nsep=;\n', 'sep=;email\n'])('%j has none', (text) =>
    expect(found(text).dialect.prefaceBytes).toBe(0),
  );

  it('alone is an empty file', () => expect(seen(utf8('sep=;\r\n'))).toBe('empty_file'));
});

describe('the charset of a download', () => {
  const FILES: readonly (readonly [string, Uint8Array, Detected['charset']])[] = [
    ['is not known where the sample is ASCII', utf8(`name,email\n${LIST}`), null],
    ['is UTF-8 by its characters', utf8('stra\u00dfe,email\n'), 'utf-8'],
    ['is UTF-8 by its mark', utf8('\ufeffemail\n'), 'utf-8'],
    ['is UTF-8 where the sample ends within a character', utf8(`a\n${'\u20ac'.repeat(30_000)}`), 'utf-8'],
    ['is Windows-1252 by bytes that are not UTF-8', latin1('stra\u00dfe,email\n'), 'windows-1252'],
    ['is UTF-16 by its mark', encoded('\ufeffemail\n', 'utf-16le'), 'utf-16le'],
  ];
  it.each(FILES)('%s', (_, bytes, charset) => expect(found(bytes).charset).toBe(charset));
});

describe('a file without rows', () => {
  const NONE: readonly (readonly [string, Uint8Array, string])[] = [
    ['nothing', utf8(''), 'empty_file'],
    ['a mark alone', utf8('\ufeff'), 'empty_file'],
    ['blank lines', utf8('\r\n\n \n'), 'empty_file'],
    ['a zip, and so a workbook', latin1('PK\x03\x04\x14\x00\x06\x00\x08\x00'), 'not_text'],
    ['a picture', latin1('\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR'), 'not_text'],
    ['UTF-16 without its mark', encoded('email\na@example.com\n', 'utf-16le'), 'not_text'],
    ['a NUL late in the sample', utf8(`email\n${'a@example.com\n'.repeat(4_000)}\0`), 'not_text'],
  ];
  it.each(NONE)('%s', (_, bytes, fault) => expect(seen(bytes)).toBe(fault));
});

describe('delimiter and line break', () => {
  const DELIMITERS: readonly (readonly [string, string])[] = [
    ['name,email\nAda,ada@example.com\n', ','],
    ['name;email;price\nAda;ada@example.com;1,5\nBob;bob@example.com;2,5\n', ';'],
    ['name\temail\nAda, L.\tada@example.com\n', '\t'],
    ['name|email\nAda|ada@example.com\n', '|'],
    ['x;email\n"say ""hi""";ada@example.com\na,b;ada@example.com\n', ';'],
    ['email\nada@example.com\n', ','],
    ['ada@example.com', ','],
    ['a;b\nc;d\n', ';'],
    [`${Array.from({ length: 30 }, (_, i) => `p${i}@example.com`).join('\n')}\na@example.com; b@example.com\n`, ','],
  ];
  it.each(DELIMITERS)('%j', (text, delimiter) => expect(found(text).dialect.delimiter).toBe(delimiter));

  const BREAKS: readonly (readonly [string, string])[] = [
    ['a,b\nc,d\n', 'lf'],
    ['a,b\r\nc,d\r\n', 'lf'],
    ['a,b\r\nc,d\re,f\r\n', 'lf'],
    ['a,b\rc,d\r', 'cr'],
    ['a,b\rc,"d\ne\nf\ng"\rh,"i"\r', 'cr'],
    // papaparse takes this one for a file of CRs.
    ['a,b\rc\nd,e\nf,g\n', 'lf'],
    ['a,b\r\r\nc,d\r\r\n', 'lf'],
    ['a,"b\r\rc"\nd,6" pipe\n"x ""y""\r\r",z\n', 'lf'],
    ['one line', 'lf'],
  ];
  it.each(BREAKS)('%j', (text, lineBreak) => expect(found(text).dialect.lineBreak).toBe(lineBreak));
});

describe('header and column', () => {
  const FILES: readonly (readonly [string, string, hasHeader: boolean, emailColumn: number | null])[] = [
    ['from the cells under another name', 'login,e-mail sent\nada@example.com,yes\n', true, 0],
    ['no header', 'Ada,ada@example.com\nBob,bob@example.com\n', false, 1],
    ['no header, the first address broken', 'Ada,ada@@example\nBob,bob@example.com\n', false, 1],
    [
      'no header, the first address missing',
      'Ada,,ada@example.com\nBob,bob@example.com,\nEve,eve@example.com,\n',
      false,
      1,
    ],
    ['one address', 'ada@example.com', false, 0],
    ['only a header', 'Name,E-Mail\n', true, 1],
    ['only a header, in Spanish', 'Nombre,Correo electr\u00f3nico\n', true, 1],
    ['only a header, in Japanese', '\u540d\u524d,\u30e1\u30fc\u30eb\u30a2\u30c9\u30ec\u30b9\n', true, 1],
    ['only a header, in Russian', '\u0418\u043c\u044f,\u042d\u043b. \u043f\u043e\u0447\u0442\u0430\n', true, 1],
    ['two columns of addresses, the one called so', 'owner,email\nsales@acme.test,ada@example.com\n', true, 1],
    ['two called so', 'email,email2\na@example.com,b@example.com\n', true, 0],
    [
      'two without names, the one with more addresses',
      'by,to\ns@acme.test,a@example.com\ns@acme.test,b@example.com\n',
      true,
      1,
    ],
    ['a fuller one beside a sparse one', 'x,y\na@example.com,b@example.com\n,c@example.com\n', true, 1],
    ['no addresses below a name that says it', 'name,email\nAda,none\nBob,unknown\n', true, 1],
    ['no addresses below a name that mentions it', 'name,email_opt_in\nAda,yes\nBob,no\n', true, null],
    ['none at all', 'name,city\nAda,Ulm\n', true, null],
    [
      'addresses in prose, handles and links are none',
      'notes,handle,link\nask ada@example.com,@ada,https://x.test/@ada\n',
      true,
      null,
    ],
    ['mostly broken, in a file of one column', 'leads\nada@example.com\nbob@\nx\ny\nz\n', true, 0],
    [
      'no header, the first address with a space in it',
      'Jane Q. Doe;jane.doe @corp.com;x\nBob;bob@corp.com;y\n',
      false,
      1,
    ],
    ['no header, the first address spelt', 'Jane Q. Doe,jane.doe (at) corp.com\nBob,bob@corp.com\n', false, 1],
    ['no header, a phone number in the first row', 'Jane Q. Doe,,+49 170 1234567\nBob,bob@corp.com,\n', false, 1],
    ['a header with a title that looks like a number', 'e-mail,2025-2026,+1 555 0100\nada@example.com,1,2\n', true, 0],
    ...[
      'ID;E-mail (work);1000001;1000002\n1;ada@example.com;1000003;1000004\n',
      'Name;E-Mail Kunde;1.1.2024-31.1.2024\nAda;ada@example.com;2\n',
      'Name;Adresse e-mail du client;2023/24 2024/25\nAda;ada@example.com;\n',
      'Name;E-mail-Adresse des Kunden;100-999 1000-4999\nAda;ada@example.com;x\n',
      'Respondent;Your e-mail;10000001\n7;ada@example.com;20000002\n',
      'Order;kontakt;202401-202412\n1;ada@example.com;5\n',
      'Number;mailbox;1234567\n1;ada@example.com;yes\n',
      'Score;To;000-0000\n1;ada@example.com;x\n',
      'Name;To;Sent @ acme.com\nAda;ada@example.com;no\n',
      'Order;Meeting (at) HQ\n1;ada@example.com\n',
      'Source;To;Write to ada @example.com\nx;ada@example.com;y\n',
    ].map((text) => [`a header with what is like a number or an address: ${text}`, text, true, 1] as const),
    [
      'no header, phone numbers and a word on e-mail in each row',
      'Ada;+49 170 1234567;prefers e-mail;\nBob;+49 170 7654321;no e-mail;bob@example.com\n',
      false,
      3,
    ],
    [
      'no header, the first number beside some that are missing',
      'Ada;+49 170 1234567;\nBob;;bob@example.com\nEve;0170 1234567;eve@example.com\n',
      false,
      2,
    ],
    ...[
      'Jane;;+49 170 1234567\nBob;bob@example.com;Berlin\nEve;eve@example.com;Ulm\n',
      'Jane;;+49 170 1234567\nBob;bob@example.com;12\nEve;eve@example.com;0170 99\n',
      'Jane;;Berlin\nBob;bob@example.com;Ulm\n',
      'Jane;;Berlin\nJoe;;Ulm\nBob;bob@example.com;Ulm\n',
      'Jane;;+49 170 1234567;prefers e-mail\nBob;bob@example.com;+49 170 7654321;\n',
      'Jane;n/a;Berlin\nBob;bob@example.com;Ulm\n',
      'Jane;-;Berlin\nBob;bob@example.com;Ulm\n',
      'Jane;k. A.;Berlin\nBob;bob@example.com;Ulm\n',
      'Jane\nBob;bob@example.com;Ulm\n',
      'Jane;;Berlin\nBob;no e-mail;Ulm\nEve;eve@example.com;Ulm\n',
    ].map((text) => [`no header, its address missing: ${text}`, text, false, 1] as const),
    ['a header, one of two address columns without a title', 'Name,,E-mail 2\nAda,a@x.com,b@x.com\n', true, 2],
    ['a line above the header', 'Export of 21 March;;\nName;E-Mail;City\nAda;ada@example.com;Ulm\n', true, 1],
    [
      'no header, quoted names with addresses in brackets',
      '"Ada L" <ada@example.com>\n"Bob" <bob@example.com>\n',
      false,
      0,
    ],
    [
      'quoted names with addresses in brackets behind other cells',
      'id,person\n1,"L, Ada" <ada@example.com>\n2,"Bob" <bob@example.com>\n',
      true,
      1,
    ],
    ['quoted, with a space before', 'name, email\n"Ada", "ada@example.com"\n', true, 1],
  ];
  it.each(FILES)('%s', (_, text, hasHeader, emailColumn) => {
    expect(found(text)).toMatchObject({ hasHeader, emailColumn });
  });

  const addresses = (name: string, count = 3): string[] =>
    Array.from({ length: count }, (_, i) => `${name}${i}@example.com`);
  const table = (titles: readonly string[], ...columns: readonly (readonly string[])[]): string =>
    [titles, ...(columns[0] ?? []).map((_, row) => columns.map((cells) => cells[row]))]
      .map((row) => row.join(','))
      .join('\n');

  const LOSES = [
    ['message_id', 'Message-ID', 'messageId', 'UID', 'Nachrichten-ID'],
    [
      'sender',
      'senderEmail',
      'fromemail',
      'From',
      'from_email',
      'return_path',
      'Return-Path',
      'replyTo',
      'Reply To',
      'Absender',
      '差出人',
    ],
    ['old_email', 'oldEmail', 'Previous e-mail', 'ancien courriel', 'старая почта'],
    ['created_by', 'Owner'],
  ].flat();
  it.each(LOSES)('%s loses against the one written to, on either side', (title) => {
    const [these, those] = [addresses('x'), addresses('y')];
    for (const wins of [
      'recipient',
      'Recipient-Address',
      'recipientEmail',
      'recipientaddress',
      'Email(s)',
      'E-Mail',
      'to',
      'new_email',
      'destinatario',
      '宛先',
    ]) {
      expect(found(table([title, wins], these, those))).toMatchObject({ emailColumn: 1, emailColumnOther: null });
      expect(found(table([wins, title], these, those))).toMatchObject({ emailColumn: 0, emailColumnOther: null });
    }
    expect(found(table([title, 'subject'], these, ['a', 'b', 'c']))).toMatchObject({ emailColumn: 0 });
  });

  const IDS = addresses('CAF4z').map((id) => `<${id.replace('example.com', 'mail.gmail.com')}>`);
  const SAME = Array<string>(3).fill('a@x.example');
  const CELLS: readonly (readonly [string, string, emailColumn: number])[] = [
    [
      'ids of messages, against few addresses',
      table(['a', 'b'], IDS, ['a@x.example', 'a@x.example', 'b@x.example']),
      1,
    ],
    ['ids without brackets', table(['a', 'b'], addresses('20261118094640.17'), addresses('y')), 1],
    ['one repeated address', table(['a', 'b'], SAME, addresses('y')), 1],
    ['one repeated address under a clear title', table(['email', 'b'], SAME, addresses('y')), 1],
    ['one repeated address and no other', table(['a', 'b'], SAME, ['', '', '']), 0],
    [
      'brackets alone, and no other',
      table(
        ['a', 'b'],
        addresses('y').map((each) => `<${each}>`),
        ['', '', ''],
      ),
      0,
    ],
  ];
  it.each(CELLS)('goes by the cells: %s', (_, text, emailColumn) =>
    expect(found(text)).toMatchObject({ emailColumn, emailColumnOther: null }),
  );

  const NEAR: readonly (readonly [string, string, Partial<LayoutHints>, number | null])[] = [
    ['two called so', table(['work_email', 'personal_email'], addresses('x'), addresses('y')), {}, 1],
    ['a second one', table(['email', 'email2'], addresses('x'), addresses('y')), {}, 1],
    ['two without titles', table(addresses('z', 2), addresses('x'), addresses('y')), {}, 1],
    ['one that is sparse', table(['email', 'email2'], addresses('x'), ['', '', 'y@example.com']), {}, null],
    ['one without a title', table(['email', 'login'], addresses('x'), addresses('y')), {}, null],
    [
      'the one that was named',
      table(['email', 'email2'], addresses('x'), addresses('y')),
      { emailColumn: 'email' },
      null,
    ],
    ['no addresses', table(['email', 'email2'], ['', ''], ['', '']), {}, null],
  ];
  it.each(NEAR)('names a second column that is nearly as likely: %s', (_, text, wishes, other) => {
    expect(found(text, wishes)).toMatchObject({ emailColumn: 0, emailColumnOther: other });
  });

  const PREAMBLES: readonly (readonly [string, preamble: string, header: string, rows: string])[] = [
    ['a line', 'Export of 21 March;;', 'Name;E-Mail;City', 'Ada;ada@example.com;Ulm'],
    ['a line of one cell', 'My list\n', 'email', 'ada@example.com'],
    [
      'notes that speak of e-mail, and no address in the sample',
      'Notes:\n"You may notice, below, that e-mail addresses are missing. See https://example.com/email"\n',
      'First Name,Last Name,URL,Email Address,Company,Connected On',
      'Ada,L,https://example.com/ada,,"Acme, Inc.",01 May 2024',
    ],
    [
      'a table wider than the one of people',
      'Registration Report\nGenerated:,"May 1, 2024 10:00 AM"\nTopic,ID,Time,Minutes,Registered\nDemo,81 23,"May 1, 2024",60,3\n\nAttendee Details',
      'First Name,Last Name,Email,Status',
      'Ada,L,ada@example.com,approved',
    ],
    [
      'a table that names the host',
      'Meeting ID,Topic,User Email,Minutes\n81 23,Demo,host@acme.test,60\n',
      'Name,User Email,Guest',
      'Ada,ada@example.com,Yes\nBob,bob@example.com,Yes',
    ],
  ];
  it.each(PREAMBLES)(
    'the header is found below %s, whatever the encoding and the breaks',
    (_, preamble, header, rows) => {
      for (const lineBreak of ['\n', '\r\n', '\r'])
        for (const encoding of ['utf-8', 'utf-16be'] as const) {
          const broken = (text: string): string => text.replaceAll('\n', lineBreak);
          const bytes = encoded(broken(`\ufeffé${preamble}\n${header}\n${rows}\n`), encoding);
          const { columns, hasHeader, emailColumn, dialect } = found(bytes);
          expect([columns, hasHeader]).toEqual([header.split(/[,;]/), true]);
          expect(header.split(/[,;]/)[emailColumn ?? -1]).toMatch(/mail/i);
          expect(bytes.subarray(dialect.prefaceBytes)).toEqual(encoded(broken(`${header}\n${rows}\n`), encoding));
        }
    },
  );

  it.each([
    ['a header met again', 'email\na@example.com\nemail\nb@example.com\nc@example.com\n', {}],
    ['a word in a list', 'a@example.com\nemail\nb@example.com\nc@example.com\n', {}],
    [
      'two tables of people',
      'name,email\nA,a@x.test\nB,b@x.test\nemail,city\nc@x.test,Ulm\nd@x.test,Ulm\ne@x.test,Ulm\n',
      {},
    ],
    ['no header, as the caller says', 'My list\nemail\na@example.com\n', { hasHeader: false }],
  ])('no row is taken for a line above the header: %s', (_, text, wishes) =>
    expect(found(text, wishes).dialect.prefaceBytes).toBe(0),
  );

  const TEXT = 'Name, Email ,CC\nAda,ada@example.com,c@example.com\nBob,bob@example.com,d@example.com,more\n';
  const WISHES: readonly (readonly [string, Partial<LayoutHints>, boolean, number | null])[] = [
    ['by name, whatever its case', { emailColumn: ' eMAIL' }, true, 1],
    ['by index', { emailColumn: 2 }, true, 2],
    ['by the index of a column that only a long row has', { emailColumn: 3 }, true, 3],
    ['by an index that every row lacks', { emailColumn: 4 }, true, null],
    ['by the name of a missing column', { emailColumn: 'mail' }, true, null],
    ['by a name in a file without a header', { emailColumn: 'Email', hasHeader: false }, false, null],
    ['no header', { hasHeader: false }, false, 1],
  ];
  it.each(WISHES)('wished for: %s', (_, wishes, hasHeader, emailColumn) => {
    expect(found(TEXT, wishes)).toMatchObject({ hasHeader, emailColumn });
  });

  it('keeps the titles, and no cell of a file without them', () => {
    expect(found(TEXT).columns).toEqual(['Name', 'Email', 'CC']);
    expect(found('Ada,ada@example.com\n').columns).toEqual(['', '']);
    // What else a first row, or a caller's word for it, would make a header of.
    expect(found('Name,E-mail like ada@example.com\nBob,bob@example.com\n').columns).toEqual(['Name', '']);
    const said = { hasHeader: true, emailColumn: null };
    expect(found('Ada,ada @example.com,+49 170 1234567\nBob,bob@example.com,\n', said).columns).toEqual([
      'Ada',
      '',
      '',
    ]);
    expect(found('Ada,ada@example.com\nBob,bob@example.com\n', said).columns).toEqual(['Ada', '']);
    expect(found('Ada,ada@example.com\n', { hasHeader: true }).hasHeader).toBe(true);
  });
});

describe('any file with a column of addresses', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(file, ({ rows, delimiter, lineBreak, encoding, bom }) => {
        const table = [
          ['x', 'email'],
          ...rows.map(([first = '', , ...rest], i) => [first, `ada${i}@example.com`, ...rest]),
        ];
        const text = table.map((row) => row.map((one) => quote(one, delimiter)).join(delimiter)).join(lineBreak);
        const isMarked = bom || encoding !== 'utf-8';
        const { dialect, hasHeader, emailColumn } = found(encoded(isMarked ? `\ufeff${text}` : text, encoding));
        expect({ ...dialect, hasHeader, emailColumn }).toMatchObject({
          encoding,
          delimiter,
          hasHeader: true,
          emailColumn: 1,
        });
        expect(dialect.lineBreak).toBe(lineBreak === '\r' ? 'cr' : 'lf');
      }),
      { numRuns: 300 },
    );
  });
});

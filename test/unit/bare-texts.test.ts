import { expect, it } from 'vitest';
import { bareTextsOf } from '../../scripts/check/bare-texts.ts';

const MACROS = "import { plural, t } from '@lingui/core/macro';import { Trans } from '@lingui/react/macro';";

const found = (code: string): string[] =>
  bareTextsOf('page.tsx', MACROS + code).map((line) => line.replace(/^page\.tsx:\d+ /, ''));

it.each([
  ['text of an element', '<p>Try again</p>', 'Try again'],
  ['a word of an element', '<p>or</p>', 'or'],
  ['a choice in an element', "<p>{isOpen ? 'hide' : 'show'}</p>", 'hide', 'show'],
  ['an attribute that is read', '<input aria-label="colour" />', 'colour'],
  ['a sentence in any attribute', '<Page note="Two words." />', 'Two words.'],
  ['a row of a table', "const NOTES = { send: 'Sent at once', drop: 'Dropped' };", 'Sent at once', 'Dropped'],
  [
    'a text of a function',
    "const textOf = () => 'Not yet: the first night is to come';",
    'Not yet: the first night is to come',
  ],
  ['words between values', 'const text = `${one} of ${all}`;', '… of …'],
  ['a text in a value of a message', "const text = t`${known ? name : 'a stranger'} came`;", 'a stranger'],
  ['a word of a text', "const stateText = isOpen ? 'open' : 'shut';", 'open', 'shut'],
  [
    'a word of a function of texts',
    "function endText(end) { if (end === 'none') return 'never'; return t`${end}`; }",
    'never',
  ],
  ['a word joined to a value', "const found = count + ' rows';", 'rows'],
  ['a word within a joined sentence', "const found = 'up' + ' to ' + count;", 'up', 'to'],
  ['what another function of a macro’s name is given', 'const text = i18n.t`Two words`;', 'Two words'],
  ['what a method of a macro’s name is given', "const text = shown.t('Two words');", 'Two words'],
  ['an attribute within a message', '<Trans>See <a title="The page">it</a></Trans>', 'The page'],
])('finds %s', (_, code, ...texts) => {
  expect(found(code)).toEqual(texts);
});

it('takes no function of a macro’s name for a macro that the file does not import from Lingui', () => {
  expect(bareTextsOf('page.tsx', "import { t } from './own.ts'; const text = t`Two words`;")).toEqual([
    'page.tsx:1 Two words',
  ]);
});

it.each([
  [
    'messages',
    '<p title={t`Two words`}><Trans>Read <b>this page</b></Trans>{plural(n, { one: "# row", other: "# rows" })}</p>',
  ],
  ['code', '<Code>npm run check</Code>'],
  ['names of styles', '<p className="card wide" style={{ border: "1px solid red" }} />'],
  ['words that are compared', "if (key === 'Enter') done();"],
  ['errors of our own', "throw new Error('this page has no organisation');"],
  ['terms of the API', "const ORDER = ['send', 'hold', 'drop'];"],
  ['terms that a function of texts compares', "const endText = (end) => (end === 'none' ? t`never` : label(end));"],
  ['what is stored', "const REASON = { stored: 'A free mailbox.' };"],
  ['numbers that are added', 'const all = one + other;'],
  ['types', "type Way = 'Back and forth';"],
  ['values alone', 'const text = `${day}: ${count}`;'],
])('lets %s be', (_, code) => {
  expect(found(code)).toEqual([]);
});

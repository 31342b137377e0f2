import { i18n, type MessageDescriptor } from '@lingui/core';
import { TransNoContext, type TransProps } from '@lingui/react/server';

/**
 * The language of the pages, set once a page load: of their texts, and of how numbers, times and lists are shown. English
 * stands in the source. Another language loads its catalogue here, before any text is read:
 * `i18n.load(LOCALE, (await import('../locales/de.po')).messages)`.
 */
export const LOCALE = 'en';

i18n.load(LOCALE, {});
i18n.activate(LOCALE);

type Values = Readonly<Record<string, unknown>>;

/** Values changed where they are texts. */
const mapTexts = (values: Values, change: (text: string) => unknown): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? change(value) : value]),
  );

/** Lingui takes `\u0041` for a letter, also in a value: there it stands for itself. */
const asWritten = (text: string): string => text.replaceAll(/\\(?=u[\da-f]{4}|x[\da-f]{2})/gi, '\\u005c');

/** What the macros `t`, `plural` and `select` call: `dashboard/messages.ts` has them import it. */
export const messages = {
  _: ({ values, ...message }: MessageDescriptor): string =>
    i18n._(values === undefined ? message : { ...message, values: mapTexts(values, asWritten) }),
};

/** Lingui looks for elements in the whole text: a value that could be taken for one, as `<b>`, is an element of its own. */
const asElement = (text: string): unknown => (/[<\\]/.test(text) ? [text] : text);

/** What the macro `<Trans>` becomes. The language never changes under a page, so no provider stands around it. */
export const Trans = ({ values = {}, ...rest }: TransProps) =>
  TransNoContext({ ...rest, values: mapTexts(values, asElement), lingui: { i18n } });

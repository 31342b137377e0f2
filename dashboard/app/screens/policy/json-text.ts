import { parse } from '@humanwhocodes/momoa';
import { type Fault, lineAt } from './fault.ts';

/** Where a text stops being JSON. No engine locates an unquoted word; the parser does. */
function endOfJson(text: string, refusal: unknown): number {
  // The engine quotes the unexpected text itself; the words before the number are its own.
  const position = /\bJSON at position (\d+)/.exec(String(refusal))?.[1];
  if (position !== undefined) return Number(position);
  try {
    parse(text);
  } catch (error) {
    const { message, offset } = Object(error);
    // "Unexpected end of input found" names the last character that is there.
    if (!/end of input/.test(String(message))) return Number(offset);
  }
  return text.trimEnd().length;
}

interface Slip {
  readonly at: number;
  readonly problem: string;
}

interface Token {
  readonly at: number;
  readonly text: string;
}

// A text that is not closed is one token too: tried from each of its quotes, it would take the square of its length.
const TOKEN = /"(?:[^"\\\n]|\\.)*\\?"?|[{}[\],:]|[^\s"{}[\],:]+/g;
const tokensOf = (text: string): readonly Token[] =>
  Array.from(text.matchAll(TOKEN), ({ 0: token, index }) => ({ at: index, text: token }));

/** A text in double quotes whose last quote is missing. */
const isOpenText = (token: string): boolean => /^"(?:[^"\\]|\\.)*\\?$/.test(token);
const isValueEnd = (token: string): boolean => token !== '' && !'{[,:'.includes(token);

const unclosed = ({ at, text }: Token): Slip => ({ at, problem: `the ${text} is not closed` });

/** The brackets that are open behind tokens, the outermost first, or the first one that is wrong. */
function bracketsOf(tokens: readonly Token[]): { readonly open: readonly Token[] } | { readonly slip: Slip } {
  const open: Token[] = [];
  for (const token of tokens) {
    if (token.text === '[' || token.text === '{') open.push(token);
    if (token.text !== ']' && token.text !== '}') continue;
    const opening = token.text === ']' ? '[' : '{';
    const last = open.pop();
    if (last?.text === opening) continue;
    const isOpen = open.some(({ text }) => text === opening);
    return {
      slip:
        last !== undefined && isOpen ? unclosed(last) : { at: token.at, problem: `the ${token.text} closes nothing` },
    };
  }
  return { open };
}

/** The bracket that is wrong up to the place where a text stops to be JSON; null means something else is wrong. */
function wrongBracket(text: string, end: number): Slip | null {
  const tokens = tokensOf(text.slice(0, end + 1));
  const brackets = bracketsOf(tokens);
  if ('slip' in brackets) return brackets.slip;
  const last = brackets.open.at(-1);
  if (last === undefined || isOpenText(tokens.at(-1)?.text ?? '')) return null;
  const next = text.slice(end).trimStart().charAt(0);
  return next === '' || (next === ':' && last.text === '[') ? unclosed(last) : null;
}

/** A key is the text after the bracket of an object, or after a comma in it. */
function endsWithKey(tokens: readonly Token[]): boolean {
  const brackets = bracketsOf(tokens);
  if ('slip' in brackets || brackets.open.at(-1)?.text !== '{') return false;
  const [before, last] = [tokens.at(-2)?.text ?? '', tokens.at(-1)?.text ?? ''];
  return last.startsWith('"') && (before === '{' || before === ',');
}

const WORD = /[^\s"'{}[\],:]/;
/** How other languages write a value that JSON has. */
const OTHER_SPELLINGS: Readonly<Record<string, string>> = {
  true: 'true',
  false: 'false',
  null: 'null',
  none: 'null',
  undefined: 'null',
};

/** The word that stands at a place, where it is no value of JSON. */
function looseWord(text: string, end: number): Slip | null {
  let at = end;
  while (at > 0 && WORD.test(text.charAt(at - 1))) at -= 1;
  const word = /^[\p{L}_$][^\s"'{}[\],:]*/u.exec(text.slice(at))?.[0];
  if (word === undefined || (OTHER_SPELLINGS[word] === word && at === end)) return null;
  const spelling = OTHER_SPELLINGS[word.toLowerCase()];
  return {
    at,
    problem: spelling === undefined ? `put \`${word}\` in double quotes` : `write \`${spelling}\`, not \`${word}\``,
  };
}

/** What to do about a slip that shows at its place; null means it does not show. */
function slipAt(text: string, end: number): Slip | null {
  const before = text.slice(0, end).trimEnd();
  const tokens = tokensOf(before);
  const last = tokens.at(-1)?.text ?? '';
  const next = text.slice(end).trimStart();
  const isClosing = /^[}\]]/.test(next);
  const isNewValue = /^["{[\d-]|^(?:true|false|null)\b/.test(next);
  const slips: readonly (readonly [boolean, number, string])[] = [
    [text.trim() === '', end, 'the text is empty'],
    [/^['‘’“”]/.test(next), end, 'use double quotes, as "deny"'],
    [/^(?:\/\/|\/\*|#)/.test(next), end, 'remove this: JSON takes no comments'],
    [/[\n\r]/.test(text.charAt(end)) && isOpenText(last), end, 'the text in double quotes is not closed on this line'],
    [last === ',' && (isClosing || next === ''), before.length - 1, 'remove this comma: no value follows it'],
    [last === ',' && next.startsWith(','), end, 'remove this comma: one stands before it'],
    [last === ':' && (isClosing || next.startsWith(',')), end, 'a value is missing before this'],
    [isNewValue && endsWithKey(tokens), end, 'a colon is missing before this'],
    [isNewValue && isValueEnd(last) && tokens.length > 1, end, 'a comma is missing before this'],
  ];
  const found = slips.find(([isIt]) => isIt);
  return found === undefined ? looseWord(text, end) : { at: found[1], problem: found[2] };
}

/** The document in a text, or the one fault that keeps it from being JSON. */
export function readJson(text: string): { readonly value: unknown } | { readonly fault: Fault } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    const end = endOfJson(text, error);
    const { at, problem } = wrongBracket(text, end) ??
      slipAt(text, end) ?? { at: end, problem: 'the text is not JSON here' };
    const place = { from: Math.min(at, Math.max(0, text.length - 1)), to: Math.min(at + 1, text.length) };
    return { fault: { at: '', problem, place, line: lineAt(text, at) } };
  }
}

import punycode from 'punycode/punycode.js';

export function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}

/** C0 controls and DEL. */
export const isControl = (code: number): boolean => code < 0x20 || code === 0x7f;

/**
 * Non-ASCII that RFC 6531 allows in a local part but that people can't see, type or trust: controls, format and bidi
 * controls, lone surrogates, private use, unassigned (`\p{C}`), zero-width and fillers (`\p{DI}`), separators, and
 * - U+2800, which is blank though classed a symbol;
 * - U+FE6B and U+FF20, which the next system's NFKC would turn into a second `@`;
 * - U+FFFC and U+FFFD, the traces of text lost before it came here.
 */
const UNSAFE = /[\p{C}\p{DI}\p{Zl}\p{Zp}[\p{Zs}--[ ]]\u2800\uFE6B\uFF20\uFFFC\uFFFD]/v;

/** A combining mark at the start of an atom changes how the delimiter before it looks. */
const STRAY_MARK = /(?:^|[." ])\p{M}/v;

/** Copied along with an address. Within a name they stand for an apostrophe. */
const CURLY_QUOTE_FIRST = /^[\p{Pi}\p{Pf}\u201A\u201E]/v;

/** Whether a non-ASCII local part in NFC holds a character that is refused. */
export const holdsUnsafe = (local: string): boolean =>
  UNSAFE.test(local) || STRAY_MARK.test(local) || CURLY_QUOTE_FIRST.test(local);

/** From the first character to the last that can be seen: `\p{DI}` has zero-width characters, joiners, soft hyphens, direction marks. */
const SEEN = /[^\s\p{DI}](?:.*[^\s\p{DI}])?/sv;

/** Trims white space and invisible characters. */
export const trimUnseen = (text: string): string => (isAscii(text) ? text.trim() : (SEEN.exec(text)?.[0] ?? ''));

/**
 * The Bidi rule, RFC 5893 §2. Regular expressions don't know Bidi_Class; these are the classes of the code points IDNA
 * 2008 allows (Unicode 17, checked against tr46 in test/support/idna-oracle.ts). Every other code point is class L.
 */

/** R, AL and AN: the blocks of scripts written from right to left, except the classes below. */
const RIGHT_TO_LEFT =
  /[[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]--\p{Mn}--[\u06F0-\u06F9]]/v;
const ARABIC_NUMBER = /[\u0660-\u0669\u{10D30}-\u{10D39}\u{10D40}-\u{10D49}]/v;
const EUROPEAN_NUMBER = /[0-9\u06F0-\u06F9]/v;
/** NSM: the non-spacing marks, except five that are class L. */
const MARK = /[\p{Mn}--[\u0CBF\u0CC6\u{11A07}\u{11A08}\u{11C3F}]]/v;
/** ES, ON and BN. */
const NEUTRAL = /[\-\u00B7\u02B9\u02BA\u02C6-\u02CF\u02EC\u0375\u2E2F\u30FB\uA67F\uA717-\uA71F\uA788\u200C\u200D]/v;

/** Whether a label makes its name a Bidi domain name. */
const holdsRightToLeft = (label: string): boolean => RIGHT_TO_LEFT.test(label);

/** Rules 1 to 6 for a label of a Bidi domain name. */
function keepsBidiRule(label: string): boolean {
  const characters = Array.from(label);
  const first = characters[0] ?? '';
  const last = characters.findLast((character) => !MARK.test(character)) ?? '';
  const fromRight = RIGHT_TO_LEFT.test(first) && !ARABIC_NUMBER.test(first);
  if (fromRight) {
    return (
      !characters.some(isLeftToRight) &&
      (RIGHT_TO_LEFT.test(last) || EUROPEAN_NUMBER.test(last)) &&
      !(EUROPEAN_NUMBER.test(label) && ARABIC_NUMBER.test(label))
    );
  }
  return isLeftToRight(first) && !holdsRightToLeft(label) && (isLeftToRight(last) || EUROPEAN_NUMBER.test(last));
}

const isLeftToRight = (character: string): boolean =>
  character !== '' && ![RIGHT_TO_LEFT, EUROPEAN_NUMBER, MARK, NEUTRAL].some((others) => others.test(character));

/**
 * RFC 5892 appendix A.1 and A.2 (ContextJ): where a word of Persian, say, or of an Indian language may hold an invisible
 * joiner. Regular expressions don't know the two properties it takes; here they are for the code points IDNA 2008 allows
 * (Unicode 17, checked against tr46 in test/support/idna-oracle.ts).
 */

/** Canonical_Combining_Class Virama. */
const VIRAMA =
  String.raw`\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D3B\u0D3C\u0D4D\u0DCA\u0E3A\u0EBA\u0F84\u1039\u103A` +
  String.raw`\u1714\u1715\u1734\u17D2\u1A60\u1B44\u1BAA\u1BAB\u1BF2\u1BF3\u2D7F\uA806\uA82C\uA8C4\uA953\uA9C0\uAAF6` +
  String.raw`\uABED\u{10A3F}\u{11046}\u{11070}\u{1107F}\u{110B9}\u{11133}\u{11134}\u{111C0}\u{11235}\u{112EA}\u{1134D}` +
  String.raw`\u{113CE}-\u{113D0}\u{11442}\u{114C2}\u{115BF}\u{1163F}\u{116B6}\u{1172B}\u{11839}\u{1193D}\u{1193E}` +
  String.raw`\u{119E0}\u{11A34}\u{11A47}\u{11A99}\u{11C3F}\u{11D44}\u{11D45}\u{11D97}\u{11F41}\u{11F42}\u{1612F}`;

/** Joining_Type D, L and R. Type T (transparent) is the non-spacing marks and U+1E94B. */
const DUAL_JOINING =
  String.raw`\u0620\u0626\u0628\u062A-\u062E\u0633-\u063F\u0641-\u0647\u0649\u064A\u066E\u066F\u0678-\u0687` +
  String.raw`\u069A-\u06BF\u06C1\u06C2\u06CC\u06CE\u06D0\u06D1\u06FA-\u06FC\u06FF\u0712-\u0714\u071A-\u071D` +
  String.raw`\u071F-\u0727\u0729\u072B\u072D\u072E\u074E-\u0758\u075C-\u076A\u076D-\u0770\u0772\u0775-\u0777` +
  String.raw`\u077A-\u077F\u07CA-\u07EA\u0841-\u0845\u0848\u084A-\u0853\u0855\u0860\u0862-\u0865\u0868\u0886` +
  String.raw`\u0889-\u088D\u088F\u08A0-\u08A9\u08AF\u08B0\u08B3-\u08B8\u08BA-\u08C8\u1820-\u1878\u1887-\u18A8\u18AA` +
  String.raw`\uA840-\uA871\u{10AC0}-\u{10AC4}\u{10AD3}-\u{10AD6}\u{10AD8}-\u{10ADC}\u{10ADE}-\u{10AE0}\u{10B80}` +
  String.raw`\u{10B82}\u{10B86}-\u{10B88}\u{10B8A}\u{10B8B}\u{10B8D}\u{10B90}\u{10D01}-\u{10D21}\u{10D23}\u{10EC3}` +
  String.raw`\u{10EC4}\u{10EC6}\u{10EC7}\u{10F30}-\u{10F32}\u{10F34}-\u{10F44}\u{10F70}-\u{10F73}\u{10F76}-\u{10F81}` +
  String.raw`\u{10FB0}\u{10FB2}\u{10FB3}\u{10FB8}\u{10FBB}\u{10FBC}\u{10FBE}\u{10FBF}\u{10FC1}\u{10FC4}` +
  String.raw`\u{1E900}-\u{1E943}`;
const LEFT_JOINING = String.raw`\uA872\u{10ACD}\u{10AD7}\u{10D00}`;
const RIGHT_JOINING =
  String.raw`\u0622-\u0625\u0627\u0629\u062F-\u0632\u0648\u0671-\u0673\u0675-\u0677\u0688-\u0699\u06C0\u06C3-\u06CB` +
  String.raw`\u06CD\u06CF\u06D2\u06D3\u06D5\u06EE\u06EF\u0710\u0715-\u0719\u071E\u0728\u072A\u072C\u072F\u074D` +
  String.raw`\u0759-\u075B\u076B\u076C\u0771\u0773\u0774\u0778\u0779\u0840\u0846\u0847\u0849\u0854\u0856-\u0858\u0867` +
  String.raw`\u0869\u086A\u0870-\u0882\u088E\u08AA-\u08AC\u08AE\u08B1\u08B2\u08B9\u{10AC5}\u{10AC7}\u{10AC9}\u{10ACA}` +
  String.raw`\u{10ACE}-\u{10AD2}\u{10ADD}\u{10AE1}\u{10AE4}\u{10B81}\u{10B83}-\u{10B85}\u{10B89}\u{10B8C}\u{10B8E}` +
  String.raw`\u{10B8F}\u{10B91}\u{10D22}\u{10EC2}\u{10F33}\u{10F74}\u{10F75}\u{10FB4}-\u{10FB6}\u{10FB9}\u{10FBA}` +
  String.raw`\u{10FBD}\u{10FC2}\u{10FC3}`;
const MARKS = String.raw`[\p{Mn}\u{1E94B}]*`;

const JOINS_AFTER = `(?<=[${DUAL_JOINING}${LEFT_JOINING}]${MARKS})`;
const JOINS_BEFORE = `(?=${MARKS}[${DUAL_JOINING}${RIGHT_JOINING}])`;
const IN_CONTEXT = new RegExp(String.raw`(?<=[${VIRAMA}])[\u200C\u200D]|${JOINS_AFTER}\u200C${JOINS_BEFORE}`, 'gv');

/** Whether each joiner stands after a virama. A non-joiner may also stand between letters that would otherwise join. */
const keepsJoinerRule = (label: string): boolean => !/[\u200C\u200D]/.test(label.replace(IN_CONTEXT, ''));

/**
 * Code points a U-label may hold: PVALID and CONTEXT* of RFC 5892, for a label that UTS 46 has already mapped. UTS 46
 * allows symbols and punctuation (emoji, `√`) and drops the invisible in silence; IDNA 2008 disallows them, and
 * registries follow it. In order: letters, marks, digits (§2.1); less the exceptions (§2.6), the invisible (§2.3), marks
 * for symbols and music (§2.4), old Hangul jamo (§2.9); plus the exceptions that are neither letter, mark nor digit, and
 * the CONTEXT* ones.
 */
const U_LABEL =
  /^[[[\p{L}\p{Mn}\p{Mc}\p{Nd}\-]--[\u0640\u07FA\u302E\u302F\u3031-\u3035\u303B]--\p{DI}--[\u20D0-\u20FF\u{1D100}-\u{1D24F}]--[\u1100-\u11FF\uA960-\uA97F\uD7B0-\uD7FF]][\u06FD\u06FE\u0F0B\u3007]\u00B7\u0375\u05F3\u05F4\u30FB\u200C\u200D]+$/v;

/** RFC 5892 appendix A, CONTEXTO: each entry returns whether a label breaks the rule of one code point. */
const OUT_OF_CONTEXT: readonly ((label: string) => boolean)[] = [
  // A.3 middle dot: only between two l (Catalan).
  (label) => /(?<!l)\u00B7|\u00B7(?!l)/v.test(label),
  // A.4 Greek keraia: before a Greek letter.
  (label) => /\u0375(?!\p{Script=Greek})/v.test(label),
  // A.5, A.6 geresh and gershayim: after a Hebrew letter.
  (label) => /(?<!\p{Script=Hebrew})[\u05F3\u05F4]/v.test(label),
  // A.7 katakana middle dot: beside kana or Han somewhere in the label.
  (label) => label.includes('\u30FB') && !/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/v.test(label),
  // A.8, A.9: the two sets of Arabic digits never mix.
  (label) => /[\u0660-\u0669]/v.test(label) && /[\u06F0-\u06F9]/v.test(label),
];

/** The rules of RFC 5891 §4.2.3 that UTS 46 lacks: hyphens, code points, CONTEXTO. */
export const keepsIdna2008Rules = (label: string): boolean =>
  !label.startsWith('-') &&
  !label.endsWith('-') &&
  !label.startsWith('--', 2) &&
  U_LABEL.test(label) &&
  !OUT_OF_CONTEXT.some((breaks) => breaks(label));

/** Read as the dot between labels (RFC 3490 §3.1). */
const DOT = /^[。．｡]$/u;
/** The deviations: IDNA 2003 folded them, IDNA 2008 keeps them as letters. */
const DEVIATION = /^[ßς]$/u;
/** Only Cherokee folds to upper case, because Unicode added its small letters later. */
const CHEROKEE = /^\p{Script=Cherokee}$/u;

/**
 * The mapping of UTS 46 (§4, steps 1 and 2; non-transitional), which is NFKC case folding: case, width, `。` as a dot.
 * Characters that it would drop or disallow stay, so that the code point rules refuse them.
 */
const mapName = (name: string): string => name.replace(/[A-Z]|[^\0-\x7F]/gu, mapCharacter).normalize('NFC');

function mapCharacter(character: string): string {
  if (DOT.test(character)) return '.';
  if (DEVIATION.test(character)) return character;
  const letters = character.normalize('NFKC');
  // A dot that is part of another character (`⒈`) does not separate labels.
  return letters.includes('.') ? character : Array.from(letters, foldCase).join('');
}

/** Upper case first, because `ᾳ` and the like become two letters only there; but `ı` must not become `I`. */
const foldCase = (letter: string): string =>
  CHEROKEE.test(letter) ? letter.toUpperCase() : letter === 'ı' ? letter : letter.toUpperCase().toLowerCase();

/** RFC 5321 §4.5.3.1.2, octets. */
export const MAX_DOMAIN = 255;

/** More UTF-16 units than the longest name can have; `ﷺ` alone is mapped to 18. */
const MAX_MAPPED = 2 * MAX_DOMAIN;
const PREFIX = 'xn--';

/**
 * A domain name with non-ASCII or `xn--` labels as lower-case A-labels (UTS 46 non-transitional mapping, then the rules
 * of IDNA 2008), or null. The caller checks length, letters and dots. An overlong name is only mapped.
 */
export function toALabels(domain: string): string | null {
  const mapped = mapName(domain);
  if (mapped.length > MAX_MAPPED) return mapped;
  const labels: string[] = [];
  for (const typed of mapped.split('.')) {
    const label = typed.startsWith(PREFIX) ? decode(typed) : typed;
    if (label === null) return null;
    labels.push(label);
  }
  const ascii = labels.map(encode).join('.');
  // Too long to be valid, so its labels are not checked.
  if (ascii.length > MAX_DOMAIN) return ascii;
  const bidi = labels.some(holdsRightToLeft);
  const valid = (label: string): boolean =>
    (isAscii(label) || isValid(label)) && (!bidi || label === '' || keepsBidiRule(label));
  return labels.every(valid) ? ascii : null;
}

/** UTS 46 §4.1 (mapped, in NFC, without a mark at the start, also for an A-label) and the rules of IDNA 2008. */
const isValid = (label: string): boolean =>
  label === mapName(label) && !/^\p{M}/u.test(label) && keepsIdna2008Rules(label) && keepsJoinerRule(label);

/** Decodes the `xn--` labels of a lower-case ASCII name where possible, without validating them. */
export const decodeALabels = (name: string): string =>
  name
    .split('.')
    .map((label) => (label.startsWith(PREFIX) ? (decode(label) ?? label) : label))
    .join('.');

const encode = (label: string): string => (isAscii(label) ? label : PREFIX + punycode.encode(label));

/** Null unless the text is Punycode of a non-ASCII label. */
function decode(label: string): string | null {
  try {
    const decoded = punycode.decode(label.slice(PREFIX.length));
    return isAscii(decoded) ? null : decoded;
  } catch {
    return null;
  }
}

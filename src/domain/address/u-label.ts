/**
 * Code points a U-label may hold: PVALID and CONTEXT* of RFC 5892, for a label that UTS 46 has already mapped. UTS 46
 * allows symbols and punctuation (emoji, `√`) and drops the invisible in silence; IDNA 2008 disallows them, and
 * registries follow it. In order: letters, marks, digits (§2.1); less the exceptions (§2.6), the invisible (§2.3), marks
 * for symbols and music (§2.4), old Hangul jamo (§2.9); plus the exceptions that are neither letter, mark nor digit, and
 * the CONTEXT* ones.
 */
const U_LABEL =
  /^[[[\p{L}\p{Mn}\p{Mc}\p{Nd}\-]--[\u0640\u07FA\u302E\u302F\u3031-\u3035\u303B]--\p{DI}--[\u20D0-\u20FF\u{1D100}-\u{1D24F}]--[\u1100-\u11FF\uA960-\uA97F\uD7B0-\uD7FF]][\u06FD\u06FE\u0F0B\u3007]\u00B7\u0375\u05F3\u05F4\u30FB\u200C\u200D]+$/v;

/** RFC 5892 appendix A, CONTEXTO: each tells whether a label breaks the rule of one code point. */
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

/** Whether a mapped label keeps the rules of RFC 5891 §4.2.3 that UTS 46 lacks: hyphens, code points, CONTEXTO. */
export const keepsIdna2008Rules = (label: string): boolean =>
  !label.startsWith('-') &&
  !label.endsWith('-') &&
  !label.startsWith('--', 2) &&
  U_LABEL.test(label) &&
  !OUT_OF_CONTEXT.some((breaks) => breaks(label));

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
export const keepsJoinerRule = (label: string): boolean => !/[\u200C\u200D]/.test(label.replace(IN_CONTEXT, ''));

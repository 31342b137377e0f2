/** The part of punycode (RFC 3492) that is used here; the package ships no types. */
declare module 'punycode/punycode.js' {
  /** Both throw a RangeError: on text that is not Punycode, on a number too large. */
  const punycode: { encode(label: string): string; decode(encoded: string): string };
  export default punycode;
}

const NON_ASCII = /[\u0080-\uffff]/g;

/** What a JSON text says, in ASCII alone. One already is returned as it is. */
export const asciiJson = (json: string): string =>
  json.replace(NON_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

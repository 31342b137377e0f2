import type { PolicyChange } from '../../domain/policy/document.ts';

/** A strong entity tag of a version. */
const VERSION_TAG = /^"(0|[1-9]\d{0,8})"$/;

export const versionTag = (version: number): string => `"${version}"`;

/** `If-Match` (RFC 9110 §13.1.1). A tag that is not a version's strong tag matches none. */
export function expectedVersions(header: string | undefined): PolicyChange['expected'] {
  if (header === undefined) return null;
  if (header.trim() === '*') return 'any';
  return header.split(',').flatMap((tag) => {
    const version = VERSION_TAG.exec(tag.trim())?.[1];
    return version === undefined ? [] : [Number(version)];
  });
}

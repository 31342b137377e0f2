import { takeApart } from './typed-domain.ts';

/**
 * Whether a domain is called as a person is: `webb.de` of Jane Webb is her family's, and no slip of `web.de`. `name`: as typed.
 */
export function isNamedAfter(domain: string, name: string): boolean {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z]+/);
  const label = takeApart(domain.toLowerCase()).name;
  return label !== '' && words.includes(label);
}

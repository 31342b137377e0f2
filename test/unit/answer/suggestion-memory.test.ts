import { describe, expect, it } from 'vitest';
import type { DomainEvidence } from '../../../src/domain/screening/typo/suggest.ts';
import { withSuggestionMemory } from '../../../src/services/verification/meant-domain.ts';

const EVIDENCE: DomainEvidence = { known: () => false, receivesMail: true };

function remembering() {
  const asked: string[] = [];
  const suggest = withSuggestionMemory((typed, { receivesMail }) => {
    asked.push(`${typed} ${receivesMail}`);
    return typed === 'gmial.com' && receivesMail !== true ? { domain: 'gmail.com', probability: 1 } : null;
  });
  return { suggest, asked };
}

describe('the memory of suggestions', () => {
  it('weighs a domain once, also where it suggests nothing', () => {
    const { suggest, asked } = remembering();
    for (const typed of ['acme.test', 'gmial.com', 'acme.test', 'gmial.com']) suggest(typed, EVIDENCE);
    expect(asked).toEqual(['acme.test true', 'gmial.com true']);
  });

  it('keeps apart what DNS says', () => {
    const { suggest } = remembering();
    expect(suggest('gmial.com', EVIDENCE)).toBeNull();
    expect(suggest('gmial.com', { ...EVIDENCE, receivesMail: false })?.domain).toBe('gmail.com');
    expect(suggest('gmial.com', { ...EVIDENCE, receivesMail: null })?.domain).toBe('gmail.com');
    expect(suggest('gmial.com', EVIDENCE)).toBeNull();
  });

  it('keeps nothing that is longer than a domain can be', () => {
    const { suggest, asked } = remembering();
    const typed = 'a'.repeat(254);
    suggest(typed, EVIDENCE);
    suggest(typed, EVIDENCE);
    expect(asked).toHaveLength(2);
  });
});

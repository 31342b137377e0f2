import { describe, expect, it } from 'vitest';
import { Esp, MxProvider } from '../../../src/contract/vocabulary.ts';
import patterns from '../../../src/domain/mailbox-provider/patterns.json' with { type: 'json' };

const GATEWAY_LABELS = ['proofpoint', 'mimecast', 'barracuda'];

describe('mail host patterns', () => {
  it('give a family and a reason on every row', () => {
    for (const row of patterns) {
      expect(row.family, row.suffix).toMatch(/^[a-z][a-z0-9_]*$/);
      expect(row.reason.length, row.suffix).toBeGreaterThan(3);
    }
  });

  it('name each suffix once, in lower case, with at least two labels', () => {
    for (const { suffix } of patterns) expect(suffix).toMatch(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/);
    expect(new Set(patterns.map((row) => row.suffix)).size).toBe(patterns.length);
  });

  it('carry only labels and esp values of the contract, and every one of the eleven labels', () => {
    const labels = new Set(patterns.flatMap((row) => row.label ?? []));
    expect([...labels].sort()).toEqual(MxProvider.options.filter((label) => label !== 'unknown').sort());
    for (const row of patterns) if (row.esp !== undefined) expect(Esp.options).toContain(row.esp);
  });

  it('call the three labelled gateways gateways, and no gateway a suite or a consumer host', () => {
    const labelled = patterns.filter((row) => row.label !== undefined && GATEWAY_LABELS.includes(row.label));
    expect(labelled.filter((row) => row.gateway !== true)).toEqual([]);
    expect(patterns.filter((row) => row.gateway === true && row.esp !== undefined)).toEqual([]);
  });

  it('never repeat in a row what a wider one already says', () => {
    const bySuffix = new Map(patterns.map((row) => [row.suffix, row]));
    const same = patterns.filter((row) => {
      for (let name = row.suffix; name.includes('.');) {
        name = name.slice(name.indexOf('.') + 1);
        const wider = bySuffix.get(name);
        if (wider !== undefined)
          return wider.family === row.family && wider.label === row.label && wider.esp === row.esp;
      }
      return false;
    });
    expect(same.map((row) => row.suffix)).toEqual([]);
  });
});

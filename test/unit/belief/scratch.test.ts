import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);
import fc from 'fast-check';
import { it } from 'vitest';
import { withReport, type KnownReport } from '../../../src/domain/belief/facts.ts';
import { multiplied } from '../../../src/domain/belief/groups.ts';
import { bounceProbability } from '../../../src/domain/belief/posterior.ts';
import { PROVIDER_IDS } from '../../../src/domain/belief/provider.ts';
import { anyAge, anyInput, anyPurpose, inputOf } from '../../support/any-belief.ts';
import { strangerState } from '../../support/beliefs.ts';
import { MODEL } from '../../../src/domain/belief/model.ts';
const kept = (reports: any) => reports.reduce((k: any, { class: c, at }: any, i: number) => withReport(k, { class: c, at, of: `vr_${i}`, source: 'k' }), []) as KnownReport[];
const sample = fc.record({ input: anyInput, purpose: anyPurpose, factor: fc.constantFrom(1,1,1, 0.2, 2, 6), told: fc.constantFrom(0,0,-4,4), age: anyAge, share: fc.oneof(fc.constant(0), fc.double({min:0,max:.99,noNaN:true})), prov: fc.constantFrom(...PROVIDER_IDS) });
const worst: Record<string, {d:number, what:any}[]> = {};
const note = (name: string, d: number, what: any) => { const w = (worst[name] ??= []); w.push({d,what}); w.sort((a,b)=>b.d-a.d); w.length=Math.min(w.length,3); };
it('x', () => {
  for (const { input: drawn, purpose, factor, told, age, share, prov } of fc.sample(sample, 30000)) {
    const base = inputOf({ host: drawn.host, features: drawn.features, purpose, answers: drawn.answers, reports: kept(drawn.reports), proofs: drawn.proofs });
    const input = { ...base, initial: multiplied(strangerState(MODEL, drawn.host, purpose, drawn.features, told), factor) } as any;
    const times = [...input.answers, ...input.reports, ...input.proofs].map((e: any) => e.at);
    const at = times.length === 0 ? 0 : Math.max(...times) * share;
    const p = bounceProbability(input);
    const del = (t: number) => bounceProbability({ ...input, reports: withReport(input.reports, { class: 'delivered', at: t, of: 'n', source: 'k' }) });
    const show = { host: input.host, purpose, factor, told, features: input.features, answers: input.answers.map((a: any)=>`${a.provider} ${a.verdict} ${(-a.at/864e5).toFixed(1)}`), reports: input.reports.map((a: any)=>`${a.class} ${(-a.at/864e5).toFixed(1)}`), proofs: input.proofs.map((a: any)=>`${a.class} ${(-a.at/864e5).toFixed(1)}`), p };
    if (purpose === 'signup' || purpose === 'list_hygiene') note(purpose, del(-age) - p, { ...show, age: age/864e5 });
    else note(String(purpose), del(at) - p, { ...show, at: at/864e5 });
    if (!input.answers.some((a: any) => a.provider === prov)) {
      note('refusal', p - bounceProbability({ ...input, answers: [...input.answers, { provider: prov, verdict: 'undeliverable', at }] }), { ...show, at: at/864e5, prov });
      note('unknown', bounceProbability({ ...input, answers: [...input.answers, { provider: prov, verdict: 'unknown', at: -age }] }) - p, { ...show, age: age/864e5, prov });
    }
  }
  require('node:fs').writeFileSync('/tmp/worst.json', JSON.stringify(worst));
}, 600000);

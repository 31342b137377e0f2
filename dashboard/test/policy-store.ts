import { screen } from '@testing-library/react';
import type { Policy, PolicyDocument } from '../app/api/schema.ts';
import { type Call, refused } from './open-page.tsx';

/** The editor of the JSON, once it is loaded: its text, its marked faults, and the writing of another text. */
export async function jsonEditor() {
  const content = await screen.findByRole('textbox', { name: 'Policy as JSON' });
  const { EditorView } = await import('@codemirror/view');
  const view = EditorView.findFromDOM(content);
  if (view === null) throw new Error('no editor stands there');
  return {
    text: (): string => view.state.doc.toString(),
    write: (text: string) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    marked: () => Array.from(content.querySelectorAll('.cm-lintRange-error'), (mark) => mark.textContent),
  };
}

/** The version that every account here begins with. */
export const FIRST: PolicyDocument = {
  name: 'Default',
  rules: [
    { id: 'invalid', when: { path: 'verification.verdict', op: 'eq', value: 'invalid' }, decision: 'deny' },
    {
      id: 'hold',
      when: { path: 'verification.recommendation', op: 'in', value: ['hold', 'challenge'] },
      decision: 'review',
    },
  ],
  default: 'allow',
  icp: null,
};

/** The policies of an account, as the API keeps them: every save is a version, and a stale one is refused. */
export function openStore() {
  const versions: Policy[] = [];
  const save = (document: PolicyDocument): Policy => {
    const policy = {
      ...document,
      slug: 'default',
      version: versions.length + 1,
      created_at: 1_790_000_000 + versions.length,
      created_by: null,
    } as Policy;
    versions.push(policy);
    return policy;
  };
  save(FIRST);
  const simulated: PolicyDocument[] = [];
  const store = { versions, simulated, refusal: null as string | null, save, answer };
  function answer({ method, path, query, headers, body }: Call): object | undefined {
    const newest = versions.at(-1);
    if (path === '/v1/policies') return { policies: [newest] };
    if (path === '/v1/traces')
      return {
        traces: [0.01, 0.02, 0.3, 0.6, 0.95].map((bounce_probability) => ({ bounce_probability })),
        cursor: null,
      };
    if (path === '/v1/traces/dc_00000000000000000000000009')
      return {
        trace: {
          display: 'z•••@gmail.com',
          bounce_probability: 0.45,
          policy_decision: { decision: 'allow' },
          bulk_decision: null,
        },
      };
    if (path === '/v1/policies/default/simulate') {
      simulated.push((body as { policy: PolicyDocument }).policy);
      return {
        window_days: 30,
        traces: 1_200,
        undetermined: 0,
        complete: true,
        changed: [{ from: 'allow', to: 'deny', count: 37 }],
        sample_trace_ids: ['dc_00000000000000000000000009'],
        by_kind: [
          { kind: 'bulk', counts: { allow: 290, deny: 6 }, decided: 0, changed: [] },
          {
            kind: 'decide',
            counts: { allow: 560, deny: 44 },
            decided: 600,
            changed: [{ from: 'allow', to: 'deny', count: 37 }],
          },
          { kind: 'verify', counts: { allow: 300 }, decided: 0, changed: [] },
        ],
        by_rule: [{ rule_id: 'hold', count: 300, sample_trace_ids: [] }],
      };
    }
    if (path !== '/v1/policies/default') return undefined;
    if (method === 'PUT') {
      if (store.refusal !== null) return refused(422, store.refusal);
      if (headers.get('if-match') !== `"${newest?.version}"`)
        return refused(412, `Version ${newest?.version} is in force.`, 'version_conflict');
      return { policy: save(body as PolicyDocument) };
    }
    const asked = query.get('version');
    return { policy: asked === null ? newest : versions[Number(asked) - 1] };
  }
  return store;
}

import { type ApiClient, answerOf } from '../../api/client.ts';
import type { Purpose } from '../../api/schema.ts';

export interface Question {
  readonly email: string;
  readonly name: string;
  readonly purpose: Purpose;
  readonly policy: string;
}

/** The decision with its explanation, and its trace. */
export async function ask(api: ApiClient, { email, name, purpose, policy }: Question) {
  const body = {
    email,
    ...(name.trim() !== '' && { name: name.trim() }),
    context: { purpose },
    policy_slug: policy,
    explain: true,
  };
  const answer = await answerOf(api.POST('/v1/decide', { body }));
  const params = { path: { trace_id: answer.trace_id } };
  // Without a readable trace, the answer is shown without its evidence.
  const trace = await answerOf(api.GET('/v1/traces/{trace_id}', { params })).catch(() => null);
  return { answer, trace: trace?.trace ?? null };
}

/** The same call as code, with the typed address and a placeholder key. */
interface Snippet {
  readonly label: string;
  readonly code: string;
}

const KEY = 'YOUR_API_KEY';

export function snippetsOf(baseUrl: string, body: object): readonly Snippet[] {
  const json = JSON.stringify(body);
  const pretty = JSON.stringify(body, null, 2);
  const shell = json.replaceAll("'", "'\\''");
  return [
    {
      label: 'curl',
      code: [
        `curl -s ${baseUrl}/v1/decide \\`,
        `  -H 'authorization: Bearer ${KEY}' \\`,
        `  -H 'content-type: application/json' \\`,
        `  -d '${shell}'`,
      ].join('\n'),
    },
    {
      label: 'JavaScript',
      code: [
        `const response = await fetch('${baseUrl}/v1/decide', {`,
        "  method: 'POST',",
        `  headers: { authorization: 'Bearer ${KEY}', 'content-type': 'application/json' },`,
        `  body: JSON.stringify(${pretty.replaceAll('\n', '\n  ')}),`,
        '});',
        'const { decision, verification } = await response.json();',
      ].join('\n'),
    },
    {
      label: 'Python',
      code: [
        'import json, requests',
        '',
        `body = json.loads(${JSON.stringify(json)})`,
        `response = requests.post('${baseUrl}/v1/decide', json=body, headers={'authorization': 'Bearer ${KEY}'})`,
        'decision = response.json()',
      ].join('\n'),
    },
  ];
}

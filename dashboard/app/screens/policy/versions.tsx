import { Button, Code, Group, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf } from '../../api/client.ts';
import type { Policy, PolicyDocument } from '../../api/schema.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { Loaded } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { difference } from './difference.ts';
import { documentOf } from './draft.ts';

interface VersionsProps {
  readonly policy: Policy;
  /** What stands in the editor. */
  readonly document: PolicyDocument;
  readonly onRestore: (document: PolicyDocument) => void;
  readonly mayEdit: boolean;
}

const pretty = (document: PolicyDocument): string => JSON.stringify(documentOf(document), null, 2);

/** Earlier versions: what differs, and the way back. */
export function Versions({ policy, document, onRestore, mayEdit }: VersionsProps) {
  const organisation = useOrganisation();
  const api = useApi();
  const [version, setVersion] = useState(policy.version);
  const { slug } = policy;
  const query = useQuery({
    queryKey: [organisation.id, 'policy', slug, version],
    queryFn: () =>
      answerOf(api.GET('/v1/policies/{slug}', { params: { path: { slug }, query: { version: String(version) } } })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const versions = Array.from({ length: Math.min(policy.version, 200) }, (_, back) => String(policy.version - back));
  return (
    <Section title="Versions" note="Beside what stands in the editor.">
      <Stack>
        <Group align="flex-end">
          <Select
            label="Version"
            w={120}
            allowDeselect={false}
            data={versions}
            value={String(version)}
            onChange={(value) => setVersion(Number(value))}
          />
          {mayEdit && query.data !== undefined && (
            <Button variant="default" onClick={() => onRestore(documentOf(query.data.policy))}>
              Put it into the editor
            </Button>
          )}
        </Group>
        <Loaded query={query} lines={4}>
          {({ policy: other }) => {
            const lines = difference(pretty(other), pretty(document));
            const isSame = lines.every(({ sign }) => sign === ' ');
            return (
              <>
                <Text size="sm" c="dimmed">
                  Saved <Time at={other.created_at} />
                </Text>
                {isSame ? (
                  <Text size="sm">It says the same.</Text>
                ) : (
                  <Code block aria-label="Difference">
                    {lines.map(({ sign, text }) => `${sign} ${text}`).join('\n')}
                  </Code>
                )}
              </>
            );
          }}
        </Loaded>
      </Stack>
    </Section>
  );
}

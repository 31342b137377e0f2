import { Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useOrganisation } from '../../lib/organisation.ts';
import { ScreenLink } from '../../parts/screen-link.tsx';
import { versionQuery } from './queries.ts';

interface DecidedByProps {
  /** `default` if no rule matched. */
  readonly ruleId: string;
  readonly policy: { readonly slug: string; readonly version: number };
}

export function DecidedBy({ ruleId, policy: { slug, version } }: DecidedByProps) {
  const { id } = useOrganisation();
  const policy = useQuery(versionQuery(id, slug, version));
  const isRule = ruleId !== 'default';
  const reason = policy.data?.rules.find((rule) => rule.id === ruleId)?.description;
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {!isRule ? (
        'No rule matched: default decision.'
      ) : (
        <>
          Rule <Code>{ruleId}</Code> decided{reason !== undefined && `: “${reason.replace(/\.$/, '')}”`}.
        </>
      )}{' '}
      <ScreenLink to="policy" search={{ policy: slug, ...(isRule && { rule: ruleId }) }} inherit>
        Policy {slug}
      </ScreenLink>
      , version {version}.
    </Text>
  );
}

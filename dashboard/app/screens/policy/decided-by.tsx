import { Anchor, Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { versionQuery } from './queries.ts';

interface DecidedByProps {
  /** `default` where no rule matched. */
  readonly ruleId: string;
  readonly policy: { readonly slug: string; readonly version: number };
}

/** Which rule decided and its reason, and the way to it. */
export function DecidedBy({ ruleId, policy: { slug, version } }: DecidedByProps) {
  const { id } = useOrganisation();
  const policy = useQuery(versionQuery(useApi(), id, slug, version));
  const isRule = ruleId !== 'default';
  const reason = policy.data?.rules.find((rule) => rule.id === ruleId)?.description;
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {!isRule ? (
        'No rule matched: default decision.'
      ) : reason === undefined ? (
        <>
          Rule <Code>{ruleId}</Code> decided.
        </>
      ) : (
        <>
          Rule <Code>{ruleId}</Code> decided: “{reason.replace(/\.$/, '')}”.
        </>
      )}{' '}
      <Anchor
        inherit
        renderRoot={(props) => (
          <Link
            to="/$organisation/policy"
            params={{ organisation: id }}
            search={{ policy: slug, ...(isRule && { rule: ruleId }) } as never}
            {...props}
          />
        )}
      >
        Policy {slug}
      </Anchor>
      , version {version}.
    </Text>
  );
}

import { Anchor, Code, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useOrganisation } from '../../lib/organisation.ts';

interface DecidedByProps {
  /** `default` where no rule matched. */
  readonly ruleId: string;
  readonly policy: { readonly slug: string; readonly version: number };
}

/** Which rule decided, and the way to it. */
export function DecidedBy({ ruleId, policy: { slug, version } }: DecidedByProps) {
  const { id } = useOrganisation();
  const isRule = ruleId !== 'default';
  return (
    <Text size="sm">
      {isRule ? 'Rule ' : 'No rule matched: the default of '}
      {isRule && (
        <>
          <Code>{ruleId}</Code> of{' '}
        </>
      )}
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
        policy {slug}
      </Anchor>
      , version {version}.
    </Text>
  );
}

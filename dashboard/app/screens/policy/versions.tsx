import { Button, Group, Stack, Table, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import type { Policy, PolicyDocument } from '../../api/schema.ts';
import { useFilters } from '../../lib/filters.ts';
import { useOrganisation } from '../../lib/organisation.ts';
import { isSame } from '../../lib/same.ts';
import { Head } from '../../parts/head.tsx';
import { Maker } from '../../parts/maker.tsx';
import { Section } from '../../parts/page.tsx';
import { ScrollTable } from '../../parts/scroll-table.tsx';
import { Small } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { changesOf } from './changes.ts';
import { documentOf, versionQuery } from './queries.ts';

const PAGE = 10;

interface VersionsProps {
  readonly policy: Policy;
  /** Null if the person may not save. */
  readonly onRestore: ((document: PolicyDocument) => void) | null;
}

/** The version in the URL; null if it was never saved. */
function versionOf(asked: string | undefined, newest: number): number | null {
  const version = Number(asked);
  return Number.isInteger(version) && version > 0 && version <= newest ? version : null;
}

/** The earlier loaded version that a version restores; undefined if it is new or equals the one before. */
function restoredBy(version: Policy, found: ReadonlyMap<number, Policy>): number | undefined {
  const says = (number: number): boolean => {
    const other = found.get(number);
    return other !== undefined && isSame(documentOf(other), documentOf(version));
  };
  if (says(version.version - 1)) return undefined;
  return [...found.keys()].filter((number) => number < version.version && says(number)).toSorted((a, b) => b - a)[0];
}

/** All versions, their changes, and "Restore". */
export function Versions({ policy, onRestore }: VersionsProps) {
  const { id } = useOrganisation();
  const [{ version: asked }, change] = useFilters();
  const opened = versionOf(asked, policy.version);
  const [shown, setShown] = useState(PAGE);
  const first = Math.max(1, policy.version - shown);
  const page = Array.from({ length: policy.version - first + 1 }, (_, at) => policy.version - at);
  // The requested version may be beyond the loaded page.
  const compared = opened === null ? [] : [opened, opened - 1].filter((each) => each > 0);
  const numbers = [...new Set([...page, ...compared])];
  const versions = useQueries({ queries: numbers.map((each) => versionQuery(id, policy.slug, each)) });
  const found = new Map(versions.flatMap(({ data }) => (data === undefined ? [] : [[data.version, data] as const])));
  return (
    <Section title="Versions">
      <ScrollTable minWidth={270} verticalSpacing="xs" horizontalSpacing={6}>
        <Head
          cells={[
            'Version',
            ['Saved', { visibleFrom: 'sm' }],
            ['By', { visibleFrom: 'sm' }],
            ['Rules', { visibleFrom: 'sm' }],
            <span className="visually-hidden">Actions</span>,
          ]}
        />
        <Table.Tbody>
          {page.slice(0, shown).map((number) => {
            const version = found.get(number);
            const isOpen = opened === number;
            const restored = version && restoredBy(version, found);
            return (
              <Table.Tr key={number} {...(isOpen && { bg: 'var(--chosen)' })}>
                <Table.Td>
                  {number}
                  {number === policy.version && <Small span> live</Small>}
                  {restored !== undefined && <Small>restores version {restored}</Small>}
                  {version && (
                    <Small hiddenFrom="sm">
                      <Time at={version.created_at} />
                    </Small>
                  )}
                </Table.Td>
                <Table.Td visibleFrom="sm">{version && <Time at={version.created_at} />}</Table.Td>
                <Table.Td visibleFrom="sm">{version && <Maker id={version.created_by ?? 'operator'} />}</Table.Td>
                <Table.Td visibleFrom="sm">{version?.rules.length}</Table.Td>
                <Table.Td>
                  <Group gap="xs" justify="flex-end">
                    {number > 1 && (
                      <Button
                        size="compact-sm"
                        variant="default"
                        aria-expanded={isOpen}
                        onClick={() => change({ version: isOpen ? undefined : String(number) })}
                      >
                        {isOpen ? 'Hide' : 'What changed'}
                      </Button>
                    )}
                    {onRestore !== null && version !== undefined && number < policy.version && (
                      <Button size="compact-sm" variant="default" onClick={() => onRestore(documentOf(version))}>
                        Restore
                      </Button>
                    )}
                  </Group>
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </ScrollTable>
      {policy.version > shown && (
        <Button variant="subtle" mt="sm" onClick={() => setShown(shown + PAGE)}>
          Older versions
        </Button>
      )}
      {opened !== null && <Changes before={found.get(opened - 1)} after={found.get(opened)} />}
    </Section>
  );
}

export function Changes({
  before,
  after,
}: {
  readonly before: Policy | undefined;
  readonly after: Policy | undefined;
}) {
  if (after?.version === 1)
    return (
      <Text size="sm" mt="md">
        This is the first version.
      </Text>
    );
  if (before === undefined || after === undefined) return null;
  const [from, to] = [documentOf(before), documentOf(after)];
  const sentences = changesOf(from, to);
  return (
    <Stack gap="xs" mt="md">
      <Text size="sm" fw={600}>
        Version {before.version} to {after.version}
      </Text>
      {sentences.length === 0 ? (
        <Text size="sm">No changes.</Text>
      ) : (
        <ul className="sentences">
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </Stack>
  );
}

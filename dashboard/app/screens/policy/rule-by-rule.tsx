import { Code, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Policy, PolicyRule } from '../../api/schema.ts';
import { useOrganisation } from '../../lib/organisation.ts';
import { capital } from '../../lib/vocabulary.ts';
import { Icon, type IconName } from '../../parts/icons.tsx';
import { Mark } from '../../parts/mark.tsx';
import { Loaded } from '../../parts/notices.tsx';
import { Small } from '../../parts/text.tsx';
import { versionQuery } from './queries.ts';
import type { RuleFinding, RuleVerdict } from './rule-finding.ts';
import { pathText, conditionText, valueText } from './words.ts';

const SHOWN: Readonly<Record<Exclude<RuleVerdict, 'unreached'>, { readonly icon: IconName; readonly text: string }>> = {
  decided: { icon: 'check', text: 'Matched, and decided' },
  control: { icon: 'pause', text: 'Matched, but in the experiment’s control group' },
  passed: { icon: 'cross', text: 'Did not match' },
};

/** The rules of a policy version with their findings. */
export function RuleByRule({
  policy: { slug, version },
  findingsOf,
}: {
  readonly policy: { readonly slug: string; readonly version: number };
  /** One finding per rule. */
  readonly findingsOf: (policy: Policy) => readonly RuleFinding[];
}) {
  const { id } = useOrganisation();
  const query = useQuery(versionQuery(id, slug, version));
  return (
    <Loaded query={query} lines={5}>
      {(policy) => {
        const findings = findingsOf(policy);
        return (
          <Stack component="ol" gap="xs" m={0} p={0} className="rule-list">
            {policy.rules.map((rule, at) => {
              const finding = findings[at];
              return (
                finding !== undefined &&
                finding.verdict !== 'unreached' && (
                  <RuleLine key={rule.id} rule={rule} verdict={finding.verdict} found={finding.found} />
                )
              );
            })}
            <NotReached rules={policy.rules.filter((_, at) => findings[at]?.verdict === 'unreached')} />
            {findings.every(({ verdict }) => verdict !== 'decided') && (
              <Group component="li" gap="xs" pt="xs">
                <Text size="sm">No rule matched. Default:</Text>
                <Mark term={policy.default} />
              </Group>
            )}
          </Stack>
        );
      }}
    </Loaded>
  );
}

interface RuleLineProps {
  readonly rule: PolicyRule;
  readonly verdict: keyof typeof SHOWN;
  readonly found: RuleFinding['found'];
}

function RuleLine({ rule, verdict, found }: RuleLineProps) {
  const { icon, text } = SHOWN[verdict];
  return (
    <Group component="li" gap="xs" wrap="nowrap" align="flex-start" pt="xs">
      <Text component="span" lh={0} mt={4} c={verdict === 'decided' ? 'var(--mark-good)' : 'dimmed'}>
        <Icon name={icon} size={15} />
      </Text>
      <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Group gap="xs">
          <Code>{rule.id}</Code>
          {verdict === 'decided' && <Mark term={rule.decision} />}
          <Small>{text}</Small>
        </Group>
        <Text size="sm">{conditionText(rule.when)}</Text>
        {found.map(({ path, value }) => (
          <Small key={path}>
            {capital(pathText(path))} was {foundText(path, value)} <Code fz={10}>{path}</Code>
          </Small>
        ))}
      </div>
    </Group>
  );
}

/** Rules after the deciding one, in a line. */
const NotReached = ({ rules }: { readonly rules: readonly PolicyRule[] }) =>
  rules.length > 0 && (
    <Group component="li" gap={6} pt="xs">
      <Small>Not reached:</Small>
      {rules.map(({ id }) => (
        <Code key={id} c="dimmed" fz="xs">
          {id}
        </Code>
      ))}
    </Group>
  );

function foundText(path: string, value: unknown): string {
  if (value === null || value === undefined) return 'missing';
  return Array.isArray(value) && value.length === 0 ? 'none' : valueText(path, value);
}

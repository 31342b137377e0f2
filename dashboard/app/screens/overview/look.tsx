import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { usageQuery } from '../../api/queries.ts';
import type { TraceList, Usage } from '../../api/schema.ts';
import { formatCount, formatSentences, formatShare, plural } from '../../lib/format.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { Icon } from '../../parts/icons.tsx';
import { allowancesOf, isNearlyUsed, usedShare } from './allowances.ts';
import { newestQuery } from './queries.ts';

/** What needs a look, in sentences. */
function looksOf(usage: Usage, traces: TraceList['traces']): readonly string[] {
  const used = allowancesOf(usage).flatMap(({ name, used: amount, limit }) => {
    const share = limit === null ? 0 : usedShare(amount, limit);
    return isNearlyUsed(share) ? [`${name}: ${formatShare(share)} used.`] : [];
  });
  const degraded = traces.filter((trace) => trace.degraded).length;
  if (degraded === 0) return used;
  const count = formatCount(degraded);
  const text = plural(
    traces.length,
    'Degraded: the newest judgement.',
    `Degraded: ${count} of the newest # judgements.`,
  );
  return [...used, text];
}

/** One line for the whole account: what needs a look, or that nothing does. */
export function Look() {
  const api = useApi();
  const { id } = useOrganisation();
  const usage = useQuery(usageQuery(api, id));
  const newest = useQuery(newestQuery(api, id));
  if (usage.data === undefined || newest.data === undefined) return null;
  const looks = looksOf(usage.data, newest.data.traces);
  const isFine = looks.length === 0;
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <Text component="span" lh={0} mt={2} c={`var(--mark-${isFine ? 'good' : 'poor'})`}>
        <Icon name={isFine ? 'check' : 'warning'} size={16} />
      </Text>
      <Text size="sm">{isFine ? 'Nothing needs a look.' : formatSentences('Needs a look:', ...looks)}</Text>
    </Group>
  );
}

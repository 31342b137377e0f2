import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../../api/client.ts';
import type { LossSimulation, PutLossesRequest } from '../../api/schema.ts';
import { formatCount, formatList, plural } from '../../lib/format.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { word } from '../../lib/vocabulary.ts';

const WINDOW_DAYS = 30;

/** What a change of losses does, said for one purpose. */
export interface Effect {
  readonly name: string;
  readonly text: string;
}

function countedText({ traces, changed }: LossSimulation): string {
  const moves = changed.map(({ from, to, count }) => `${formatCount(count)} from ${word(from)} to ${word(to)}`);
  if (moves.length === 0)
    return plural(
      traces,
      'No recommendation changes in # verification of the last 30 days.',
      'No recommendation changes in # verifications of the last 30 days.',
    );
  const list = formatList(moves);
  return plural(
    traces,
    `Changes in # verification of the last 30 days: ${list}.`,
    `Changes in # verifications of the last 30 days: ${list}.`,
  );
}

/** What new losses change, in the question before they are saved: by purpose, and among the last verifications. */
export function LossesChange({
  losses,
  effects,
}: {
  readonly losses: PutLossesRequest;
  readonly effects: readonly Effect[];
}) {
  const api = useApi();
  const { id } = useOrganisation();
  const counted = useQuery({
    queryKey: [id, 'losses', 'simulation', losses],
    queryFn: () => answerOf(api.POST('/v1/losses/simulate', { body: { losses, window_days: WINDOW_DAYS } })),
    retry: false,
  });
  return (
    <Stack gap="xs">
      {effects.map(({ name, text }) => (
        <Text key={`${name} ${text}`} size="sm">
          <b>{name}.</b> {text}
        </Text>
      ))}
      {effects.length === 0 && <Text size="sm">No threshold moves.</Text>}
      {counted.data !== undefined && <Text size="sm">{countedText(counted.data)}</Text>}
      <Text size="sm">They apply from the next request.</Text>
    </Stack>
  );
}

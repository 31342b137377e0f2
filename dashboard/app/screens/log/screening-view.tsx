import { Stack, Text } from '@mantine/core';
import type { ScreeningRow } from '../../api/schema.ts';
import { formatDollars } from '../../lib/format.ts';
import { reasonText } from '../../lib/vocabulary.ts';
import { Facts, Named } from '../../parts/facts.tsx';
import { Maker } from '../../parts/maker.tsx';
import { Mark } from '../../parts/mark.tsx';
import { Part, RecordHead, RecordId } from './record-parts.tsx';

type Screening = ScreeningRow['screening'];

/** Texts of checks whose contract term is not clear by itself. */
const NAME: Readonly<Record<Screening['name_match'], string>> = {
  match: 'Matches the address',
  typo: 'The address has a typo',
  partial: 'Partial match',
  mismatch: 'No match',
  not_checked: 'No name given',
};
const INVENTED: Readonly<Record<Screening['fake_name'], string>> = {
  likely: 'Likely',
  unlikely: 'Unlikely',
  uncertain: 'Uncertain',
  not_checked: 'Not checked',
};
const DOMAIN: Readonly<Record<Screening['domain_check'], string>> = {
  ok: 'Ordinary',
  typo_like: 'Typo',
  lookalike: 'Lookalike',
  placeholder: 'Placeholder',
  throwaway_like: 'Disposable',
  uncertain: 'Uncertain',
  not_checked: 'Not checked',
};

/** A screening. The name is not stored, the address only masked. */
export const ScreeningView = ({ record }: { readonly record: ScreeningRow }) => {
  const { screening } = record;
  return (
    <Stack gap="lg">
      <RecordHead display={record.display} time={record.created_at} />
      <Named name="Recommendation">
        <Mark term={screening.recommendation} size="md" />
      </Named>
      <Part title="Why">
        {screening.reasons.length === 0 && <Text size="sm">No findings.</Text>}
        {screening.reasons.map((reason) => (
          <Text key={reason} size="sm">
            {reasonText(reason)}
          </Text>
        ))}
        {screening.typo_suggestion !== null && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            Did you mean {screening.typo_suggestion}.
          </Text>
        )}
      </Part>
      <Facts
        facts={[
          { name: 'Name', value: NAME[screening.name_match] },
          { name: 'Fake name', value: INVENTED[screening.fake_name] },
          { name: 'Domain', value: DOMAIN[screening.domain_check] },
          { name: 'Placeholder', value: screening.placeholder ? 'Yes' : 'No' },
          ...(record.key_id === null ? [] : [{ name: 'Key', value: <Maker id={record.key_id} /> }]),
          { name: 'Cost', value: formatDollars(record.cost_usd) },
          { name: 'Time', value: `${record.latency_ms} ms` },
          ...(screening.degraded ? [{ name: 'Degraded', value: 'The model failed' }] : []),
        ]}
      />
      <RecordId id={record.trace_id} />
    </Stack>
  );
};

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import type { ScreeningRow } from '../../api/schema.ts';
import { formatDollars } from '../../lib/format.ts';
import { reasonText } from '../../lib/vocabulary.ts';
import { Facts } from '../../parts/facts.tsx';
import { Maker } from '../../parts/maker.tsx';
import { Mark } from '../../parts/mark.tsx';
import { Named } from '../../parts/named.tsx';
import { Part, RecordHead, RecordId } from './record-parts.tsx';

type Screening = ScreeningRow['screening'];

/** What each check says, where the contract's word alone does not. */
const NAME: Readonly<Record<Screening['name_match'], string>> = {
  match: t`It fits the address`,
  typo: t`The address has a slip in it`,
  partial: t`It fits in part`,
  mismatch: t`It does not fit the address`,
  not_checked: t`Not checked: the call gave none`,
};
const INVENTED: Readonly<Record<Screening['fake_name'], string>> = {
  likely: t`Likely`,
  unlikely: t`Unlikely`,
  uncertain: t`Uncertain`,
  not_checked: t`Not checked`,
};
const DOMAIN: Readonly<Record<Screening['domain_check'], string>> = {
  ok: t`Like an ordinary one`,
  typo_like: t`Like a slip`,
  lookalike: t`Like another one on purpose`,
  placeholder: t`Like a placeholder`,
  throwaway_like: t`Like one that gives out addresses`,
  uncertain: t`Uncertain`,
  not_checked: t`Not checked`,
};

/** One screening as it was answered: the name is not kept, the address only in its mask. */
export const ScreeningView = ({ record }: { readonly record: ScreeningRow }) => {
  const { screening } = record;
  return (
    <Stack gap="lg">
      <RecordHead display={record.display} time={record.created_at} />
      <Named name={t`Recommendation`}>
        <Mark term={screening.recommendation} size="md" />
      </Named>
      <Part title={t`Why`}>
        {screening.reasons.length === 0 && (
          <Text size="sm">
            <Trans>Nothing speaks against it.</Trans>
          </Text>
        )}
        {screening.reasons.map((reason) => (
          <Text key={reason} size="sm">
            {reasonText(reason)}
          </Text>
        ))}
        {screening.typo_suggestion !== null && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            <Trans>It was probably meant as {screening.typo_suggestion}.</Trans>
          </Text>
        )}
      </Part>
      <Facts
        facts={[
          { name: t`Name`, value: NAME[screening.name_match] },
          { name: t`Invented name`, value: INVENTED[screening.fake_name] },
          { name: t`The domain looks`, value: DOMAIN[screening.domain_check] },
          { name: t`Placeholder`, value: screening.placeholder ? t`Yes` : t`No` },
          ...(record.key_id === null ? [] : [{ name: t`Key`, value: <Maker id={record.key_id} /> }]),
          { name: t`Cost`, value: formatDollars(record.cost_usd) },
          { name: t`Took`, value: t`${record.latency_ms} ms` },
          ...(screening.degraded ? [{ name: t`Degraded`, value: t`The model was asked and failed` }] : []),
        ]}
      />
      <RecordId id={record.trace_id} />
    </Stack>
  );
};

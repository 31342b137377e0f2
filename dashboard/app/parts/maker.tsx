import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { membersQuery, namelessText, newestKeysQuery } from '../api/queries.ts';
import { roleAllows, useMe, useOrganisation } from '../lib/organisation.ts';

/** The name for an id of a person or key, or `operator`. Only admins may read other people's names. */
function useName(id: string): string {
  const { user } = useMe();
  const { id: organisationId, role } = useOrganisation();
  const mayAsk = roleAllows(role, 'admin');
  const isKey = id.startsWith('key_');
  const isPerson = id.startsWith('u_') && id !== user.id;
  const members = useQuery({ ...membersQuery(organisationId), enabled: mayAsk && isPerson });
  const keys = useQuery({ ...newestKeysQuery(organisationId), enabled: mayAsk && isKey });
  if (id === user.id) return 'You';
  if (id === 'operator') return 'The service';
  const member = members.data?.find((each) => each.id === id);
  const name = isKey ? keys.data?.find((each) => each.id === id)?.name : (member?.name ?? member?.email);
  return name ?? namelessText(id, members.data);
}

export const Maker = ({ id }: { readonly id: string }) => (
  <Text component="span" inherit truncate display="block" title={id}>
    {useName(id)}
  </Text>
);

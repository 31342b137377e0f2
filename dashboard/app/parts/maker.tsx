import { Text } from '@mantine/core';
import { useMe } from '../lib/organisation.ts';

/** Who did something: a person's id, a key's, or `operator`. */
export function Maker({ id }: { readonly id: string }) {
  const { user } = useMe();
  if (id === user.id) return 'You';
  if (id === 'operator') return 'The service';
  return (
    <Text component="span" inherit title={id}>
      {id.startsWith('key_') ? 'Key' : 'Person'} …{id.slice(-6)}
    </Text>
  );
}

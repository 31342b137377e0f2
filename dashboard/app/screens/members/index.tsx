import { Button, ActionIcon, Avatar, Badge, Group, Menu, Table, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { memo, useState } from 'react';
import { answerOf } from '../../api/client.ts';
import { type Member, membersQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { meQuery, type Role, startOver } from '../../api/session.ts';
import { formatSentences } from '../../lib/format.ts';
import { useMutation } from '../../lib/mutation.ts';
import { roleAllows, useOrganisation, useMe } from '../../lib/organisation.ts';
import { word } from '../../lib/vocabulary.ts';
import { AdminOnly } from '../../parts/admin-only.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import type { HeadCells } from '../../parts/head.tsx';
import { Icon } from '../../parts/icons.tsx';
import { LongTable, placed, type RowPlace } from '../../parts/long-table.tsx';
import { Maker } from '../../parts/maker.tsx';
import { Loaded } from '../../parts/notices.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Small, Strong } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { Invitations, Invite } from './invitations.tsx';
import { ROLES, roleLabel } from './roles.ts';

export default function Members() {
  const { role } = useOrganisation();
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <Page
      title="Members"
      description="People with access to this organisation."
      action={
        roleAllows(role, 'admin') && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
            Invite
          </Button>
        )
      }
    >
      <AdminOnly>
        <People />
        <Invitations />
        <Invite opened={isOpen} onClose={close} />
      </AdminOnly>
    </Page>
  );
}

type Change = { readonly member: Member; readonly to: Role | 'removed' } | null;

const shownAs = ({ name, email }: Member): string => name ?? email;

function ChangeConfirm({
  change,
  isOwn,
  onClose,
}: {
  readonly change: Change;
  readonly isOwn: boolean;
  readonly onClose: () => void;
}) {
  const { api, id: organisationId, name: organisationName } = useOrganisation();
  const apply = useMutation({
    mutationFn: async ({ member, to }: NonNullable<Change>) => {
      const params = { path: { id: member.id } };
      await (to === 'removed'
        ? answerOf(api.DELETE('/v1/members/{id}', { params }))
        : answerOf(api.PATCH('/v1/members/{id}', { params, body: { role: to } })));
    },
    onSuccess: async (_, { to }) => {
      if (isOwn && to === 'removed') {
        startOver('/');
        return;
      }
      await queryClient.invalidateQueries({ queryKey: membersQuery(organisationId).queryKey });
      if (isOwn) await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
      onClose();
    },
  });
  if (change === null) return null;
  const { member, to } = change;
  const isRemoval = to === 'removed';
  return (
    <Confirm
      opened
      title={
        isRemoval
          ? isOwn
            ? `Leave ${organisationName}?`
            : `Remove ${shownAs(member)}?`
          : isOwn
            ? `Make yourself ${word(to)}?`
            : `Make ${shownAs(member)} ${word(to)}?`
      }
      action={isRemoval ? (isOwn ? 'Leave' : 'Remove') : `Make ${word(to)}`}
      sending={apply}
      onConfirm={() => apply.mutate(change)}
      onClose={onClose}
    >
      {isRemoval
        ? isOwn
          ? 'You lose access now, and keys you created are revoked.'
          : 'They lose access now, and keys they created are revoked.'
        : formatSentences(
            ROLES.find(({ value }) => value === to)?.may ?? '',
            'Their keys with a higher role are revoked.',
          )}
    </Confirm>
  );
}

/** Allows a line break after the @. */
function EmailText({ email }: { readonly email: string }) {
  const at = email.lastIndexOf('@') + 1;
  return (
    <>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </>
  );
}

const ROW_PX = 54;

const HEAD: HeadCells = [
  'Person',
  ['Role', { w: 84 }],
  ['Since', { w: 120, visibleFrom: 'md' }],
  ['Added by', { w: 150, visibleFrom: 'md' }],
  [<VisuallyHidden>Actions</VisuallyHidden>, { w: 48 }],
];

interface MemberRowProps extends RowPlace {
  readonly member: Member;
  readonly isLastAdmin: boolean;
  /** A stable function. */
  readonly onChange: (change: Change) => void;
}

const MemberRow = memo(function MemberRow({ member, isLastAdmin, onChange, at, measure }: MemberRowProps) {
  const { user } = useMe();
  const isOwn = member.id === user.id;
  return (
    <Table.Tr {...placed({ at, measure })}>
      <Table.Td>
        <Group gap="sm" wrap="nowrap">
          <Avatar size="sm" radius="xl" color="gray" name={shownAs(member)} aria-hidden visibleFrom="xs" />
          <div style={{ minWidth: 0 }}>
            <Group gap="xs">
              <Strong style={{ overflowWrap: 'anywhere' }}>{shownAs(member)}</Strong>
              {isOwn && (
                <Badge variant="light" size="sm">
                  You
                </Badge>
              )}
            </Group>
            {member.name !== null && (
              <Small style={{ overflowWrap: 'anywhere' }}>
                <EmailText email={member.email} />
              </Small>
            )}
          </div>
        </Group>
      </Table.Td>
      <Table.Td>{roleLabel(member.role)}</Table.Td>
      <Table.Td visibleFrom="md">
        <Time at={member.created_at} />
      </Table.Td>
      <Table.Td visibleFrom="md">{member.created_by !== null && <Maker id={member.created_by} />}</Table.Td>
      <Table.Td ta="right">
        <Menu width={240}>
          <Menu.Target>
            <ActionIcon aria-label={`Actions for ${shownAs(member)}`}>
              <Icon name="more" size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {isLastAdmin && <Small p="xs">Make someone else an admin first.</Small>}
            {ROLES.filter(({ value }) => value !== member.role).map(({ value }) => (
              <Menu.Item key={value} disabled={isLastAdmin} onClick={() => onChange({ member, to: value })}>
                Make {word(value)}
              </Menu.Item>
            ))}
            <Menu.Divider />
            <Menu.Item color="red" disabled={isLastAdmin} onClick={() => onChange({ member, to: 'removed' })}>
              {isOwn ? 'Leave' : 'Remove'}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Table.Td>
    </Table.Tr>
  );
});

function People() {
  const { id } = useOrganisation();
  const { user } = useMe();
  const [change, setChange] = useState<Change>(null);
  const query = useQuery(membersQuery(id));
  return (
    <Section title="Members">
      <Loaded query={query} lines={4}>
        {(members) => {
          const admins = members.filter(({ role }) => role === 'admin').length;
          return (
            <LongTable
              name="Members"
              rows={members}
              hasMore={false}
              keyOf={({ id: member }) => member}
              head={HEAD}
              minWidth={280}
              rowHeight={ROW_PX}
            >
              {(member, { at, measure }) => (
                <MemberRow
                  member={member}
                  isLastAdmin={member.role === 'admin' && admins === 1}
                  onChange={setChange}
                  at={at}
                  measure={measure}
                />
              )}
            </LongTable>
          );
        }}
      </Loaded>
      <ChangeConfirm change={change} isOwn={change?.member.id === user.id} onClose={() => setChange(null)} />
    </Section>
  );
}

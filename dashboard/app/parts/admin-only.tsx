import type { ReactNode } from 'react';
import { roleAllows, useOrganisation } from '../lib/organisation.ts';
import { word } from '../lib/vocabulary.ts';
import { Empty } from './notices.tsx';
import { Section } from './page.tsx';

/** What admins alone see. Others learn whom to ask. */
export function AdminOnly({ children }: { readonly children: ReactNode }) {
  const { role } = useOrganisation();
  if (roleAllows(role, 'admin')) return children;
  return (
    <Section>
      <Empty title="For admins">
        You are a {word(role)} here. An admin of the organisation can show you this, or change your role.
      </Empty>
    </Section>
  );
}

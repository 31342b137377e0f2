import type { ReactNode } from 'react';
import { roleAllows, useOrganisation } from '../lib/organisation.ts';
import { word } from '../lib/vocabulary.ts';
import { Empty } from './notices.tsx';
import { Section } from './page.tsx';

/** Shows its children to admins; others learn whom to ask. */
export function AdminOnly({ children }: { readonly children: ReactNode }) {
  const { role } = useOrganisation();
  if (roleAllows(role, 'admin')) return children;
  return (
    <Section>
      <Empty title="Admins only">You are a {word(role)} here. Ask an admin for access.</Empty>
    </Section>
  );
}

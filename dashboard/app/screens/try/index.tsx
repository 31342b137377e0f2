import { Button, Grid, Select, Stack, TextInput, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { policiesQuery } from '../../api/queries.ts';
import type { Purpose } from '../../api/schema.ts';
import { useMutation } from '../../lib/mutation.ts';
import { roleAllows, useOrganisation } from '../../lib/organisation.ts';
import { label } from '../../lib/vocabulary.ts';
import { Form } from '../../parts/form.tsx';
import { Empty, ErrorNotice } from '../../parts/notices.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Answer } from './answer.tsx';
import { ask, type Question } from './queries.ts';

const PURPOSES: readonly Purpose[] = ['signup', 'outbound', 'list_hygiene'];

/** Checks one address, which stays in this page's memory: no URL and no store has it. */
export default function TryIt() {
  const organisation = useOrganisation();
  const { api } = organisation;
  const [question, setQuestion] = useState<Question>({ email: '', name: '', purpose: 'signup', policy: 'default' });
  /** Only blanks were sent, which the browser accepts. */
  const [isBlank, setIsBlank] = useState(false);
  const change = (changed: Partial<Question>) => {
    setIsBlank(false);
    setQuestion((before) => ({ ...before, ...changed }));
  };
  const policies = useQuery(policiesQuery(organisation.id));
  const slugs = policies.data?.policies.map(({ slug }) => slug) ?? ['default'];
  const judge = useMutation({ mutationFn: (asked: Question) => ask(api, asked), gcTime: 0 });
  const mayAsk = roleAllows(organisation.role, 'member');
  const run = (asked: Question) => {
    setQuestion(asked);
    judge.mutate(asked);
  };
  const result = useRef<HTMLDivElement>(null);
  /** The pressed button disappears, so the focus moves to where the next answer comes. */
  const runAgain = (asked: Question) => {
    run(asked);
    result.current?.focus();
  };
  return (
    <Page title="Check an address" description="Check one address. Uses one verification.">
      <Section>
        <Form
          onSubmit={() => {
            if (question.email.trim() === '') setIsBlank(true);
            else run(question);
          }}
        >
          <Grid align="flex-end" gap="sm">
            <Grid.Col span={{ base: 12, sm: 6, xl: 4 }}>
              <TextInput
                label="Email address"
                required
                maxLength={320}
                autoComplete="off"
                spellCheck={false}
                placeholder="jane@example.com"
                error={isBlank ? 'Enter an address.' : null}
                value={question.email}
                onChange={(event) => change({ email: event.currentTarget.value })}
              />
            </Grid.Col>
            <Grid.Col span={{ base: 12, sm: 6, xl: 3 }}>
              <TextInput
                label="Name (optional)"
                maxLength={200}
                autoComplete="off"
                placeholder="Jane Doe"
                value={question.name}
                onChange={(event) => change({ name: event.currentTarget.value })}
              />
            </Grid.Col>
            <Grid.Col span={{ base: 6, sm: 4, xl: 2 }}>
              <Select
                label="Purpose"
                data={PURPOSES.map((value) => ({ value, label: label(value) }))}
                value={question.purpose}
                onChange={(value) => change({ purpose: value ?? 'signup' })}
              />
            </Grid.Col>
            <Grid.Col span={{ base: 6, sm: 4, xl: 2 }}>
              <Select
                label="Policy"
                data={slugs}
                value={question.policy}
                onChange={(value) => change({ policy: value ?? 'default' })}
              />
            </Grid.Col>
            <Grid.Col span={{ base: 12, sm: 4, xl: 1 }}>
              <Button type="submit" fullWidth px="xs" loading={judge.isPending} disabled={!mayAsk}>
                Check
              </Button>
            </Grid.Col>
          </Grid>
        </Form>
      </Section>
      {/* A screen reader says this much by itself; the rest is read where the person goes. */}
      <VisuallyHidden role="status">
        {judge.data === undefined
          ? ''
          : `Decision: ${label(judge.data.answer.decision)}. Recommendation: ${label(judge.data.answer.verification.recommendation)}.`}
      </VisuallyHidden>
      <div ref={result} tabIndex={-1}>
        {judge.error !== null && <ErrorNotice error={judge.error} onRetry={() => judge.mutate(question)} />}
        {judge.data !== undefined && judge.variables !== undefined && (
          <Answer key={judge.data.answer.trace_id} question={judge.variables} result={judge.data} onAsk={runAgain} />
        )}
        {judge.isIdle && (
          <Section>
            <Stack align="center">
              <Empty title={mayAsk ? 'Enter an address' : 'Your role is read-only'}>
                {mayAsk ? 'Nothing is sent to it.' : 'Ask an admin for the member role.'}
              </Empty>
            </Stack>
          </Section>
        )}
      </div>
    </Page>
  );
}

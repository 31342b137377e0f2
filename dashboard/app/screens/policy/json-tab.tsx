import { Textarea } from '@mantine/core';

interface JsonTabProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly mayEdit: boolean;
  readonly fault: string | null;
}

export const JsonTab = ({ text, onChange, mayEdit, fault }: JsonTabProps) => (
  <Textarea
    aria-label="The policy as JSON"
    autosize
    minRows={16}
    maxRows={40}
    spellCheck={false}
    readOnly={!mayEdit}
    value={text}
    onChange={(event) => onChange(event.currentTarget.value)}
    styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
    error={fault}
  />
);

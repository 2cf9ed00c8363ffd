import { Paper, Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';

interface SectionProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A part of the page with a title. */
export function Section({ title, children }: SectionProps): ReactNode {
  const id = useId();
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id} miw={0}>
      <Title order={2} size="h4" id={id} mb="xs">
        {title}
      </Title>
      {children}
    </Paper>
  );
}

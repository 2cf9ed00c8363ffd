import { Center, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  /** Says what is not there, and what to do about it. */
  readonly text: string;
  readonly icon?: ReactNode;
  readonly children?: ReactNode;
}

/** In place of a list without entries. */
export function EmptyState({ text, icon, children }: EmptyStateProps): ReactNode {
  return (
    <Center p="xl">
      <Stack align="center" gap="sm" maw={420}>
        {icon}
        <Text c="dimmed" ta="center">
          {text}
        </Text>
        {children}
      </Stack>
    </Center>
  );
}

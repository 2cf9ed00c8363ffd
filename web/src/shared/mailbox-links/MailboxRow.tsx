import { Anchor, Box, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { OneLine } from '../../ui/OneLine';

interface MailboxRowProps {
  readonly accountId: string;
  /** The search that the row leads to. */
  readonly q: string;
  /** A message that is opened with it. */
  readonly message?: string;
  readonly title: string;
  /** Size, beside the title. */
  readonly size: string;
  readonly facts: readonly string[];
  /** Beside the title. */
  readonly mark?: ReactNode;
  /** Below it all. */
  readonly children?: ReactNode;
}

/** Something that takes space; it leads to its messages in the mailbox. */
export function MailboxRow(props: MailboxRowProps): ReactNode {
  const { accountId, q, message, title, size, facts, mark, children } = props;
  return (
    <Box component="li" miw={0}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Anchor
          size="sm"
          lineClamp={2}
          title={title}
          renderRoot={(root) => (
            <Link to="/a/$accountId/mailbox" params={{ accountId }} search={{ q, message }} {...root} />
          )}
        >
          {title}
        </Anchor>
        <Group gap="xs" wrap="nowrap">
          <OneLine size="sm">{size}</OneLine>
          {mark}
        </Group>
      </Group>
      <Text size="xs" c="dimmed" truncate>
        {facts.join(' · ')}
      </Text>
      {children}
    </Box>
  );
}

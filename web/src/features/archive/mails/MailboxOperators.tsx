import { Button, Group, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ArchiveConditions } from './archive-filter';
import { mailboxTerms } from './mailbox-operators';

interface MailboxOperatorsProps {
  readonly q: string;
  readonly onConditions: (changes: ArchiveConditions) => void;
}

/** Names the terms of a search that only the mailbox knows, and sets the filter that does the same. */
export function MailboxOperators({ q, onConditions }: MailboxOperatorsProps): ReactNode {
  const { t } = useTranslation();
  const [now] = useState(() => Date.now());
  const terms = mailboxTerms(q, now);
  if (terms.length === 0) return null;
  return (
    <Stack gap="xs" role="status">
      {terms.map(({ written, operator, filter, conditions, rest }) => (
        <Group key={written} gap="sm">
          <Text size="sm">
            {filter === null
              ? t('archive.operators.unknown', { operator })
              : t('archive.operators.use', { operator, filter: t(`archive.${filter}`) })}
          </Text>
          {conditions && (
            <Button
              size="compact-xs"
              variant="default"
              onClick={() => onConditions({ ...conditions, q: rest })}
            >
              {t('archive.operators.set', { term: written })}
            </Button>
          )}
        </Group>
      ))}
    </Stack>
  );
}

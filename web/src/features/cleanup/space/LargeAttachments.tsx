import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { formatBytes, formatShortDate } from '../../../i18n/format';
import { EmptyState } from '../../../ui/EmptyState';
import { QueryView } from '../../../ui/QueryView';
import { senderName } from '../../../ui/sender';
import { MailboxRow } from '../../../shared/mailbox-links/MailboxRow';
import { PlainList } from '../../../ui/PlainList';
import { Section } from '../../../ui/Section';

const STEP = 10;

/** The largest files of the mailbox; each leads to its message, and to those that are as large. */
export function LargeAttachments({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const [shown, setShown] = useState(STEP);
  const files = useQuery(op('attachments.listLiveAttachments', { accountId }));
  return (
    <Section title={t('space.attachments')}>
      <QueryView
        query={files}
        empty={{
          when: ({ attachments }) => attachments.length === 0,
          show: <EmptyState text={t('space.noAttachments')} />,
        }}
      >
        {({ attachments, totalSizeBytes }) => (
          <Stack gap="sm">
            <Text size="xs" c="dimmed">
              {t('space.attachmentsTotal', { count: attachments.length, size: formatBytes(totalSizeBytes) })}
            </Text>
            <PlainList gap="xs" component="ol">
              {attachments.slice(0, shown).map((file) => (
                <MailboxRow
                  key={`${file.messageId} ${file.partId}`}
                  accountId={accountId}
                  q={largerSearch(file.mailSizeEstimate)}
                  message={file.messageId}
                  title={file.filename}
                  size={formatBytes(file.sizeBytes)}
                  facts={[senderName(file.mailSender), file.mailSubject, formatShortDate(file.mailDate)]}
                />
              ))}
            </PlainList>
            {shown < attachments.length && (
              <Button variant="default" size="xs" onClick={() => setShown(shown + STEP)}>
                {t('space.moreFiles')}
              </Button>
            )}
          </Stack>
        )}
      </QueryView>
    </Section>
  );
}

const KB = 1024;

/** A search for messages with files that are at least about as large. */
export const largerSearch = (messageBytes: number): string =>
  `has:attachment larger:${Math.max(1, Math.floor(messageBytes / KB) - 1)}K`;

import { Box, NavLink, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { formatFullDate, formatShortDate } from '../../../i18n/format';
import { MailHead, MailReader } from '../../../ui/MailReader';
import type { ReaderSteps } from '../../../ui/reader-steps';
import { QueryView } from '../../../ui/QueryView';
import { senderName } from '../../../ui/sender';
import { ReadMail } from './ReadMail';

interface ThreadReaderProps {
  readonly accountId: string;
  readonly threadId: string;
  /** The mail of it that is read; without it the latest. */
  readonly mailId: string | undefined;
  readonly onMail: (id: string) => void;
  readonly steps: ReaderSteps | undefined;
  readonly onMoreFrom: (from: string) => void;
  readonly onClose: () => void;
}

/** A conversation: its mails, and the one that is read. */
export function ThreadReader({
  accountId,
  threadId,
  mailId,
  onMail,
  steps,
  onMoreFrom,
  onClose,
}: ThreadReaderProps): ReactNode {
  const thread = useQuery(op('archive.getThread', { accountId, threadId }));
  const shown = thread.data?.find(({ id }) => id === mailId) ?? thread.data?.at(-1);
  return (
    <MailReader
      steps={steps}
      onClose={onClose}
      head={
        <QueryView query={thread}>
          {(mails) => mails.length > 1 && <MailsOfThread mails={mails} shown={shown?.id} onMail={onMail} />}
        </QueryView>
      }
    >
      {shown && (
        <MailOfThread key={shown.id} accountId={accountId} mailId={shown.id} onMoreFrom={onMoreFrom} />
      )}
    </MailReader>
  );
}

interface MailOfThreadProps {
  readonly accountId: string;
  readonly mailId: string;
  readonly onMoreFrom: (from: string) => void;
}

function MailOfThread({ accountId, mailId, onMoreFrom }: MailOfThreadProps): ReactNode {
  const mail = useQuery(op('archive.getMail', { accountId, mailId }));
  return (
    <QueryView query={mail}>
      {(read) => (
        <>
          <MailHead
            subject={read.subject}
            from={read.sender}
            to={read.recipient}
            date={read.date}
            onMoreFrom={onMoreFrom}
          />
          <ReadMail accountId={accountId} mail={read} />
        </>
      )}
    </QueryView>
  );
}

interface MailsOfThreadProps {
  readonly mails: readonly Schemas['ThreadMailResponse'][];
  readonly shown: string | undefined;
  readonly onMail: (id: string) => void;
}

function MailsOfThread({ mails, shown, onMail }: MailsOfThreadProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Box component="nav" mah={180} mb="sm" style={{ overflowY: 'auto' }} aria-label={t('archive.thread')}>
      {mails.map(({ id, sender, date, snippet }) => (
        <NavLink
          key={id}
          component="button"
          type="button"
          py={4}
          active={id === shown}
          aria-current={id === shown || undefined}
          onClick={() => onMail(id)}
          label={
            <Text size="sm" truncate>
              {senderName(sender)}
              <Text span c="dimmed">
                {' '}
                {snippet}
              </Text>
            </Text>
          }
          rightSection={
            <Text size="xs" title={formatFullDate(date)}>
              {formatShortDate(date)}
            </Text>
          }
        />
      ))}
    </Box>
  );
}

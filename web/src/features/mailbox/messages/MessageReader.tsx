import { Anchor, Box, Group } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { mailroom } from '../../../api/client';
import { op, useOperation } from '../../../api/op';
import { isNotThere } from '../../../api/problems';
import { FileList } from '../../../shared/mail-files/FileList';
import { currentLanguage } from '../../../i18n/format';
import { MailFacts } from '../../../ui/MailFacts';
import { MailFrame } from '../../../ui/MailFrame';
import { MailHead, MailReader, SafetyNotes } from '../../../ui/MailReader';
import { KindSwitch, type ReadingKind } from '../../../ui/reading/KindSwitch';
import { PlainText } from '../../../ui/reading/PlainText';
import { PrintMail } from '../../../ui/PrintMail';
import { QueryView } from '../../../ui/QueryView';
import type { ReaderSteps } from '../../../ui/reader-steps';
import { RemoteImages } from '../../../ui/RemoteImages';
import { CopyState } from './CopyState';
import { RawMessage } from './RawMessage';

interface MessageReaderProps {
  readonly accountId: string;
  readonly messageId: string;
  /** Actions on the message. */
  readonly actions?: ReactNode;
  readonly steps?: ReaderSteps | undefined;
  readonly onMoreFrom?: (from: string) => void;
  readonly onClose: () => void;
}

/** A message of the live mailbox, safe to read: its sender does not learn of it. */
export function MessageReader({
  accountId,
  messageId,
  actions,
  steps,
  onMoreFrom,
  onClose,
}: MessageReaderProps): ReactNode {
  const { t } = useTranslation();
  const [kind, setKind] = useState<ReadingKind>('html');
  const message = useQuery(op('mailbox.getMessage', { accountId, messageId }));
  const safe = useQuery(op('mailbox.readSafeHtml', { accountId, messageId, lang: currentLanguage() }));
  // Only while the message is shown: the next time it is read without them again.
  const images = useOperation('mailbox.loadRemoteImages');
  const withImages = images.data ?? null;
  return (
    <MailReader
      // That it is gone is said once.
      head={
        !isNotThere(safe.error) && (
          <QueryView query={message}>{(read) => <MailHead {...read} onMoreFrom={onMoreFrom} />}</QueryView>
        )
      }
      steps={steps}
      onClose={onClose}
    >
      {message.data && <CopyState accountId={accountId} messageId={messageId} />}
      {message.data && actions}
      {message.data && (
        <Group mt="xs" justify="space-between">
          <KindSwitch kind={kind} onKind={setKind} />
          <Anchor
            size="sm"
            href={mailroom.urlOf('mailbox.downloadEml', { accountId, messageId })}
            download={`${messageId}.eml`}
          >
            <IconDownload size={14} aria-hidden /> {t('mailFacts.eml')}
          </Anchor>
        </Group>
      )}
      {kind === 'headers' || kind === 'source' ? (
        <RawMessage accountId={accountId} messageId={messageId} kind={kind} />
      ) : (
        <QueryView query={safe}>
          {(mail) => (
            <>
              <SafetyNotes {...mail} />
              <MailFacts {...mail} />
              {kind === 'html' && (
                <RemoteImages
                  mail={mail}
                  loaded={withImages}
                  isLoading={images.isPending}
                  error={images.error}
                  onLoad={() => images.mutate({ accountId, messageId, lang: currentLanguage() })}
                />
              )}
              <FileList
                subject={message.data?.subject ?? ''}
                files={mail.attachments.map(
                  ({ partId, filename, mime_type: mimeType, size_bytes: sizeBytes }) => ({
                    source: { operation: 'mailbox.downloadAttachment', accountId, messageId, partId },
                    isEncrypted: false,
                    filename,
                    mimeType,
                    sizeBytes,
                  }),
                )}
              />
              {message.data && <PrintMail head={message.data} html={withImages?.html ?? mail.html} />}
              <Box flex={1} mih={240} mt="sm" style={{ overflow: 'auto' }}>
                {kind === 'html' ? (
                  <MailFrame title={t('mailFacts.frame')} html={withImages?.html ?? mail.html} />
                ) : (
                  <PlainText html={mail.html} />
                )}
              </Box>
            </>
          )}
        </QueryView>
      )}
    </MailReader>
  );
}

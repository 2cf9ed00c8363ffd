import { Box, Group, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FileItem } from '../../../shared/mail-files/FileItem';
import { KindSwitch, type ReadingKind } from '../../../ui/reading/KindSwitch';
import { DateNote } from './DateNote';
import { EnvelopeNote } from './EnvelopeNote';
import { Files } from './Files';
import { HeaderLines } from './HeaderLines';
import type { OfMail } from './of-mail';
import { PutBack } from './PutBack';
import { MailSource } from './MailSource';
import { SafeText } from './SafeText';

/** Content of a mail: its files, and its text in the chosen form. */
export function ReadMail({ accountId, mail }: OfMail): ReactNode {
  const { t } = useTranslation();
  const [kind, setKind] = useState<ReadingKind>('html');
  return (
    <>
      {mail.rebuilt_from && (
        <Text size="sm" c="dimmed" mb="xs" role="note">
          {t('archive.rebuilt')}
        </Text>
      )}
      <DateNote mail={mail} />
      <EnvelopeNote envelope={mail.envelope} />
      <Files accountId={accountId} mail={mail} />
      <Group mt="xs" justify="space-between">
        <KindSwitch kind={kind} onKind={setKind} />
        <PutBack accountId={accountId} chosen={{ count: 1, body: { mailIds: [mail.id] } }} />
        <FileItem
          source={{ operation: 'archive.downloadEml', accountId, mailId: mail.id }}
          isEncrypted={mail.is_encrypted}
          filename={`${mail.id}.eml`}
          mimeType="message/rfc822"
          sizeBytes={mail.size_bytes}
          text={t('mailFacts.eml')}
          icon={IconDownload}
        />
      </Group>
      {kind === 'headers' || kind === 'source' ? (
        <Box flex={1} mih={240} mt="sm" style={{ overflow: 'auto' }}>
          {kind === 'headers' && <HeaderLines accountId={accountId} mail={mail} />}
          {kind === 'source' && <MailSource accountId={accountId} mail={mail} />}
        </Box>
      ) : (
        <SafeText
          accountId={accountId}
          mailId={mail.id}
          head={{ subject: mail.subject, from: mail.sender, to: mail.recipient, date: mail.date }}
          kind={kind}
        />
      )}
    </>
  );
}

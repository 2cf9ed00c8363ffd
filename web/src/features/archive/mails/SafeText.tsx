import { Box } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import { useOperation } from '../../../api/op';
import { currentLanguage } from '../../../i18n/format';
import { MailFacts } from '../../../ui/MailFacts';
import { MailFrame } from '../../../ui/MailFrame';
import { SafetyNotes, type MailHeadProps } from '../../../ui/MailReader';
import { PrintMail } from '../../../ui/PrintMail';
import { RemoteImages, type MailWithImages } from '../../../ui/RemoteImages';
import { passphraseStore, usePassphrase } from '../../../shared/passphrases/passphrase';
import { PlainText } from '../../../ui/reading/PlainText';
import { useUnlockedQuery } from './unlocked-query';
import { UnlockedView } from './UnlockedView';

interface SafeTextProps {
  readonly accountId: string;
  readonly mailId: string;
  /** Head of the mail, printed above its text. */
  readonly head: MailHeadProps;
  readonly kind: 'html' | 'text';
}

/** The text of a mail, made safe: with its looks in a frame, or as text alone. */
export function SafeText({ accountId, mailId, head, kind }: SafeTextProps): ReactNode {
  const { t } = useTranslation();
  // Only while the mail is shown: the next time it is read without them again.
  const [withImages, setWithImages] = useState<MailWithImages | null>(null);
  const lang = currentLanguage();
  const safe = useUnlockedQuery(['privacy.readSafeHtml', { accountId, mailId, lang }], (passphrase, signal) =>
    call('privacy.readSafeHtml', { accountId, mailId, lang, archivePassphrase: passphrase }, { signal }),
  );
  const passphrase = usePassphrase();
  const images = useOperation('privacy.loadRemoteImages');
  const loadImages = (): void =>
    images.mutate(
      { accountId, mailId, lang, archivePassphrase: passphrase ?? undefined },
      {
        onSuccess: (mail) => {
          passphraseStore.used();
          setWithImages(mail);
        },
      },
    );
  return (
    <UnlockedView unlocked={safe}>
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
              onLoad={loadImages}
            />
          )}
          <PrintMail head={head} html={withImages?.html ?? mail.html} />
          <Box flex={1} mih={240} mt="sm" style={{ overflow: 'auto' }}>
            {kind === 'html' ? (
              <MailFrame title={t('mailFacts.frame')} html={withImages?.html ?? mail.html} />
            ) : (
              <PlainText html={mail.html} />
            )}
          </Box>
        </>
      )}
    </UnlockedView>
  );
}

import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useRawMail } from './raw-mail';
import type { OfMail } from './of-mail';
import { UnlockedView } from './UnlockedView';

/** A mail as it came, byte for byte as far as it is text. */
export function MailSource({ accountId, mail }: OfMail): ReactNode {
  const { t } = useTranslation();
  return (
    <UnlockedView unlocked={useRawMail({ accountId, mail })}>
      {({ text, isCut }) => (
        <>
          {isCut && <Text size="sm">{t('archive.sourceCut')}</Text>}
          <Text
            component="pre"
            size="xs"
            ff="monospace"
            m={0}
            tabIndex={0}
            aria-label={t('archive.kinds.source')}
            style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
          >
            {text}
          </Text>
        </>
      )}
    </UnlockedView>
  );
}

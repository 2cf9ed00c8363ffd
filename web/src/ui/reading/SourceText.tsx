import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { RawMail } from './raw-mail';

/** A mail as it came, byte for byte as far as it is text. */
export function SourceText({ text, isCut }: RawMail): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      {isCut && <Text size="sm">{t('mailFacts.sourceCut')}</Text>}
      <Text
        component="pre"
        size="xs"
        ff="monospace"
        m={0}
        tabIndex={0}
        aria-label={t('mailFacts.kinds.source')}
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {text}
      </Text>
    </>
  );
}

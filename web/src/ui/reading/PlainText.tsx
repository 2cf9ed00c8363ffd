import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SoughtText } from '../highlights/Sought';
import { plainText } from './plain-text';

/** The text of a document of the service, without its looks. */
export function PlainText({ html }: { readonly html: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <Text
      component="pre"
      size="sm"
      m={0}
      tabIndex={0}
      aria-label={t('mailFacts.frame')}
      style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', fontFamily: 'inherit' }}
    >
      <SoughtText text={plainText(html) || t('mailFacts.noText')} place="text" />
    </Text>
  );
}

import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { OfMail } from './of-mail';

/** Says that the date shown is not the Date header, when it is not. */
export function DateNote({ mail }: Pick<OfMail, 'mail'>): ReactNode {
  const { t } = useTranslation();
  if (mail.date_source !== 'arrival' && mail.date_source !== 'import') return null;
  return (
    <Text size="xs" c="dimmed" mt={4}>
      {t(`archive.dateNotes.${mail.date_source}`)}
    </Text>
  );
}

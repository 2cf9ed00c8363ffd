import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Recount } from './use-frozen';

interface RecountNoteProps {
  readonly recount: Recount | null;
  /** Current number of messages. */
  readonly count: number;
}

/** Says that, and why, the messages were counted again: what was confirmed before is not done. */
export function RecountNote({ recount, count }: RecountNoteProps): ReactNode {
  const { t } = useTranslation();
  if (!recount) return null;
  return (
    <Alert color="yellow" role="alert" p="xs">
      {t(`mailbox.recount.${recount.why}`)}{' '}
      {recount.before === count
        ? t('mailbox.recount.same', { count })
        : t('mailbox.recount.other', { count, before: recount.before })}
    </Alert>
  );
}

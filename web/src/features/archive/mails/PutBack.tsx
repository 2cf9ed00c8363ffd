import { Button, Modal } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../i18n/format';
import { Restore } from '../../../shared/restores/Restore';
import type { ChosenMails } from './chosen-mails';
import { RestoreTarget } from './RestoreTarget';

/** Largest number of mails of one restore. */
const MOST = 100_000;

interface PutBackProps {
  readonly accountId: string;
  readonly chosen: ChosenMails;
}

/** Puts archived messages back into a mailbox: asks where to, shows what the trial run says, and starts it there. */
export function PutBack({ accountId, chosen }: PutBackProps): ReactNode {
  const { t } = useTranslation();
  const [isAsked, setIsAsked] = useState(false);
  const [restoreId, setRestoreId] = useState<string | null>(null);
  const { count } = chosen;
  const close = (): void => {
    setIsAsked(false);
    setRestoreId(null);
  };
  return (
    <>
      <Button
        size="xs"
        variant="default"
        disabled={count > MOST}
        title={count > MOST ? t('restore.tooMany', { most: formatNumber(MOST) }) : undefined}
        leftSection={<IconArrowBackUp size={14} aria-hidden />}
        onClick={() => setIsAsked(true)}
      >
        {t('restore.putBack')}
      </Button>
      <Modal opened={isAsked} onClose={close} title={t('restore.title', { count })} size="lg">
        {restoreId === null ? (
          <RestoreTarget accountId={accountId} chosen={chosen} onPlanned={setRestoreId} onClose={close} />
        ) : (
          <Restore accountId={accountId} restoreId={restoreId} onClose={close} />
        )}
      </Modal>
    </>
  );
}

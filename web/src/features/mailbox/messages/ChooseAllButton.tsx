import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { FoundMessages } from './message-ids';

interface ChooseAllButtonProps {
  readonly found: FoundMessages;
  readonly onChooseAll: () => void;
}

/** Chooses everything that matches; the number is named if it is known and not estimated. */
export function ChooseAllButton({ found, onChooseAll }: ChooseAllButtonProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Button size="compact-sm" variant="subtle" onClick={onChooseAll}>
      {found.isComplete
        ? t('mailbox.chooseAll', { count: found.ids.length })
        : t('mailbox.chooseAllThatMatch')}
    </Button>
  );
}

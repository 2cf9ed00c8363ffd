import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ListBar } from '../../../ui/ListBar';
import { ChangeButtons } from './ChangeButtons';
import { ChooseAllButton } from './ChooseAllButton';
import type { FoundMessages } from './message-ids';
import type { Choice } from './use-choice';

interface ChosenRowsProps {
  readonly accountId: string;
  readonly choice: Choice;
  readonly found: FoundMessages;
  readonly onStarted: () => void;
}

/** Rows that were chosen one by one: how many, and what can be done with them. */
export function ChosenRows({ accountId, choice, found, onStarted }: ChosenRowsProps): ReactNode {
  const { t } = useTranslation();
  const count = choice.ids.size;
  return (
    <ChangeButtons accountId={accountId} target={{ messageIds: [...choice.ids] }} onStarted={onStarted}>
      {(actions, error) => (
        <ListBar
          count={
            <>
              <Text size="sm" fw={600} role="status">
                {found.isComplete
                  ? t('mailbox.chosenOf', { count, total: found.ids.length })
                  : t('mailbox.chosen', { count })}
              </Text>
              <Button size="compact-sm" variant="subtle" onClick={choice.none}>
                {t('mailbox.chooseNone')}
              </Button>
              {(!found.isComplete || count < found.ids.length) && (
                <ChooseAllButton found={found} onChooseAll={choice.all} />
              )}
            </>
          }
          actions={actions}
        >
          {error}
        </ListBar>
      )}
    </ChangeButtons>
  );
}

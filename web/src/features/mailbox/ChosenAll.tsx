import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { QueryView } from '../../ui/QueryView';
import { ChangeButtons } from './ChangeButtons';
import { RecountNote } from './RecountNote';
import { SelectionFigures } from './SelectionFigures';
import { useFrozen } from './use-frozen';

interface ChosenAllProps {
  readonly accountId: string;
  readonly query: string;
  readonly onNone: () => void;
  readonly onStarted: () => void;
}

/** All messages that match: frozen, counted, and what can be done with exactly these. */
export function ChosenAll({ accountId, query, onNone, onStarted }: ChosenAllProps): ReactNode {
  const { t } = useTranslation();
  const frozen = useFrozen({ accountId, query });
  const none = (
    <Button size="compact-sm" variant="subtle" onClick={onNone}>
      {t('mailbox.chooseNone')}
    </Button>
  );
  const counting = (
    <Group gap="xs">
      <Loader size="xs" />
      <Text size="sm" role="status">
        {t('mailbox.counting')}
      </Text>
    </Group>
  );
  return (
    <Stack gap={4}>
      <QueryView query={frozen.query} loading={counting}>
        {(selection) => (
          <>
            <Group gap="xs">
              <SelectionFigures selection={selection} />
              {frozen.query.isFetching && counting}
              {none}
            </Group>
            <RecountNote recount={frozen.recount} count={selection.count} />
            <ChangeButtons
              accountId={accountId}
              target={{ selectionId: selection.id, confirmedCount: selection.count }}
              frozen={selection}
              recount={frozen.recount}
              disabled={frozen.query.isFetching || selection.count === 0}
              onStarted={onStarted}
              onStale={frozen.countAgain}
            />
          </>
        )}
      </QueryView>
      {frozen.query.data === undefined && <Group>{none}</Group>}
    </Stack>
  );
}

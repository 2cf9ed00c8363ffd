import { Button, Group, Loader, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ArchiveForecast } from '../../../shared/forecast/ArchiveForecast';
import { ListBar } from '../../../ui/ListBar';
import { QueryView } from '../../../ui/QueryView';
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
    <>
      {frozen.query.data === undefined && frozen.query.error && <Group>{none}</Group>}
      <QueryView query={frozen.query} loading={<ListBar count={counting} actions={none} />}>
        {(selection) => (
          <ChangeButtons
            accountId={accountId}
            target={{ selectionId: selection.id, confirmedCount: selection.count }}
            frozen={selection}
            recount={frozen.recount}
            disabled={frozen.query.isFetching || selection.count === 0}
            onStarted={onStarted}
            onStale={frozen.countAgain}
          >
            {(actions, error) => (
              <ListBar
                count={
                  <>
                    <SelectionFigures selection={selection} />
                    {frozen.query.isFetching && counting}
                    {none}
                  </>
                }
                actions={actions}
              >
                {query === '' && <ArchiveForecast accountId={accountId} />}
                <RecountNote recount={frozen.recount} count={selection.count} />
                {error}
              </ListBar>
            )}
          </ChangeButtons>
        )}
      </QueryView>
    </>
  );
}

import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { KeysHint } from '../../../ui/KeysHint';
import { ListBar } from '../../../ui/ListBar';
import { ProblemView } from '../../../ui/ProblemView';
import type { ArchiveSelection } from './archive-selection';
import type { HeldListing } from './archived-mails';
import { resolveChosenMails } from './chosen-mails';
import { DeleteMails } from './DeleteMails';
import { ExportMenu } from './ExportMenu';
import { PutBack } from './PutBack';

interface ArchiveActionsProps {
  readonly listing: HeldListing;
  /** null in lists in which nothing can be chosen. */
  readonly selection: ArchiveSelection | null;
  /** Number of mails found, in words. */
  readonly found: string;
  readonly hasConditions: boolean;
  readonly onDeleting: () => void;
}

/** Number of mails found or chosen, and the actions on them. */
export function ArchiveActions({
  listing,
  selection,
  found,
  hasConditions,
  onDeleting,
}: ArchiveActionsProps): ReactNode {
  const { t } = useTranslation();
  const chosen = resolveChosenMails(listing, selection);
  const isChosen = selection !== null && selection.count > 0;
  const { count } = chosen;
  const isEverything = chosen.body.filter !== undefined && !hasConditions;
  return (
    <ListBar
      count={
        <>
          <Text size="sm" c={isChosen ? undefined : 'dimmed'} fw={isChosen ? 600 : undefined} role="status">
            {isChosen ? t('archive.chosen', { count }) : found}
          </Text>
          {isChosen && (
            <Button size="compact-sm" variant="subtle" onClick={selection.none}>
              {t('archive.chooseNone')}
            </Button>
          )}
          {selection !== null && selection.count < listing.total && (
            <Button size="compact-sm" variant="subtle" onClick={selection.all}>
              {t('archive.chooseAll', { count: listing.total })}
            </Button>
          )}
          {isChosen && selection.ids === null && (
            <Text size="xs" c="dimmed">
              {t('archive.allChosen')}
            </Text>
          )}
        </>
      }
      actions={
        <>
          <ExportMenu
            accountId={listing.accountId}
            label={isChosen ? t('archive.export') : t('archive.exportAll')}
            chosen={chosen}
            isEverything={isEverything}
          />
          {(isChosen || hasConditions) && <PutBack accountId={listing.accountId} chosen={chosen} />}
          {/* The whole archive goes only after it was chosen. */}
          {(isChosen || hasConditions) && (
            <DeleteMails
              accountId={listing.accountId}
              label={isChosen ? t('archive.delete') : t('archive.deleteAll')}
              chosen={chosen}
              onStarted={() => {
                selection?.none();
                onDeleting();
              }}
              onGone={() => selection?.none()}
            />
          )}
          {selection !== null && !isChosen && <KeysHint text={t('archive.keys')} touch={t('archive.tick')} />}
        </>
      }
    >
      {selection?.error && <ProblemView error={selection.error} />}
    </ListBar>
  );
}

import { Checkbox, Stack } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Confirm } from '../../../ui/Confirm';
import { QueryView } from '../../../ui/QueryView';
import { TrashNote } from '../../../shared/trash/TrashNote';
import { ProvedCopies } from './ProvedCopies';
import { RecountNote } from './RecountNote';
import { SaveFirstButton, SaveFirstProgress, useSaveFirst } from './SaveFirst';
import { SelectionFigures } from './SelectionFigures';
import { countOf, useChanges, type Target } from './use-changes';
import { useFrozen, type FrozenSelection, type Recount, type Staleness } from './use-frozen';

export type RemoveAction = 'trash' | 'delete';

/** Marks of messages that people seldom want to lose. */
const MARKED = ['starred', 'important'] as const;

interface RemoveDialogProps {
  readonly accountId: string;
  /** null while nothing is asked. */
  readonly action: RemoveAction | null;
  readonly target: Target;
  readonly frozen?: FrozenSelection;
  /** Recount of `frozen`. */
  readonly recount?: Recount | null;
  readonly onClose: () => void;
  readonly onStarted: (jobId: string) => void;
  readonly onStale?: (why: Staleness) => void;
}

/** Asks before messages are moved to the trash or deleted: how many, which are left out, and how far it can be undone. */
export function RemoveDialog(props: RemoveDialogProps): ReactNode {
  const { accountId, action, target, frozen, recount = null, onClose, onStarted, onStale } = props;
  const { t } = useTranslation();
  const [wantsMarked, setWantsMarked] = useState(false);
  const isMarked = frozen !== undefined && frozen.starredCount + frozen.importantCount > 0;
  const leavesOut = isMarked && !wantsMarked;
  const rest = useFrozen({
    accountId,
    query: frozen?.query ?? '',
    leaveOut: MARKED,
    of: frozen?.id,
    enabled: action !== null && leavesOut,
  });
  const chosen = leavesOut ? targetOf(rest.query.data) : target;
  const isCounted = chosen !== null && !(leavesOut && rest.query.isFetching);
  const count = chosen === null ? 0 : countOf(chosen);
  const countAgain = leavesOut ? rest.countAgain : onStale;
  const saving = useSaveFirst(accountId, chosen, countAgain);
  const close = (): void => {
    setWantsMarked(false);
    saving.forget();
    onClose();
  };
  const { change, isPending, error } = useChanges(accountId, { onStarted, onStale: countAgain });
  const verb = action ?? 'trash';
  return (
    <Confirm
      opened={action !== null}
      title={t(`mailbox.confirm.${verb}Title`, { count })}
      text={t(`mailbox.confirm.${verb}Text`, { count })}
      verb={t(`mailbox.confirm.${verb}Verb`, { count })}
      destroys
      busy={isPending}
      ready={isCounted && count > 0 && !saving.isRunning}
      error={error}
      typed={
        action === 'delete' ? { value: `${count}`, label: t('mailbox.confirm.type', { count }) } : undefined
      }
      details={
        <Stack gap="xs">
          <TrashNote accountId={accountId} action={action} />
          {isMarked && (
            <Checkbox
              label={t('mailbox.confirm.leaveOut')}
              description={t('mailbox.confirm.leaveOutHelp', {
                starred: frozen.starredCount,
                important: frozen.importantCount,
              })}
              checked={leavesOut}
              disabled={saving.isStarted}
              onChange={(event) => setWantsMarked(!event.currentTarget.checked)}
            />
          )}
          {!leavesOut && <RecountNote recount={recount} count={count} />}
          {leavesOut && (
            <QueryView query={rest.query}>
              {(selection) => (
                <>
                  <SelectionFigures selection={selection} />
                  <RecountNote recount={rest.recount} count={selection.count} />
                </>
              )}
            </QueryView>
          )}
          {action !== null && <ProvedCopies accountId={accountId} target={chosen} />}
          <SaveFirstProgress saving={saving} />
        </Stack>
      }
      onConfirm={() => chosen && change(verb, chosen)}
      onClose={close}
    >
      {action === 'delete' && !saving.isStarted && (
        <SaveFirstButton saving={saving} disabled={!isCounted || count === 0} />
      )}
    </Confirm>
  );
}

const targetOf = (selection: FrozenSelection | undefined): Target | null =>
  selection ? { selectionId: selection.id, confirmedCount: selection.count } : null;

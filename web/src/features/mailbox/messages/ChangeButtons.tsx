import { Button, Group } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { showStarted } from '../../../jobs/job-toast';
import { ProblemView } from '../../../ui/ProblemView';
import { LabelMenu } from './LabelMenu';
import { RemoveDialog, type RemoveAction } from './RemoveDialog';
import { useChanges, type BulkAction, type Target } from './use-changes';
import type { FrozenSelection, Recount, Staleness } from './use-frozen';

/** Changes that are easily taken back. */
const AT_ONCE = ['archive', 'mark_read', 'mark_unread'] as const satisfies readonly BulkAction[];

interface ChangeButtonsProps {
  readonly accountId: string;
  readonly target: Target;
  /** Frozen selection, when the target is all of it. */
  readonly frozen?: FrozenSelection;
  /** Recount of `frozen`. */
  readonly recount?: Recount | null;
  readonly disabled?: boolean;
  /** Whether the buttons have to be compact. */
  readonly compact?: boolean;
  /** @param removes whether the messages leave the list */
  readonly onStarted: (removes: boolean) => void;
  readonly onStale?: (why: Staleness) => void;
  /** Layout of the buttons and a refusal; by default one below the other. */
  readonly children?: (buttons: ReactNode, refusal: ReactNode) => ReactNode;
}

/** Actions on the chosen messages. The work itself runs as a job. */
export function ChangeButtons({
  accountId,
  target,
  frozen,
  recount,
  disabled = false,
  compact = false,
  onStarted,
  onStale,
  children,
}: ChangeButtonsProps): ReactNode {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<RemoveAction | null>(null);
  const started = (jobId: string, removes = false): void => {
    showStarted(jobId, t('mailbox.started'));
    onStarted(removes);
  };
  const { change, saveToArchive, isPending, error } = useChanges(accountId, { onStarted: started, onStale });
  const size = compact ? 'compact-xs' : 'xs';
  const button = { size, variant: 'default', disabled: disabled || isPending } as const;
  const buttons = (
    <>
      <Button {...button} variant="light" color="red" onClick={() => setAsked('trash')}>
        {t('mailbox.actions.trash')}
      </Button>
      {AT_ONCE.map((action) => (
        <Button key={action} {...button} onClick={() => change(action, target)}>
          {t(`mailbox.actions.${action}`)}
        </Button>
      ))}
      <LabelMenu
        accountId={accountId}
        size={size}
        disabled={button.disabled}
        onChosen={(action, labelId) => change(action, target, labelId)}
      />
      <Button {...button} onClick={() => saveToArchive(target)}>
        {t('mailbox.actions.keep')}
      </Button>
      <Button {...button} variant="subtle" color="red" onClick={() => setAsked('delete')}>
        {t('mailbox.actions.delete')}
      </Button>
    </>
  );
  const refusal = error && <ProblemView error={error} />;
  return (
    <>
      {children?.(buttons, refusal) ?? (
        <>
          <Group gap={compact ? 6 : 'xs'}>{buttons}</Group>
          {refusal}
        </>
      )}
      <RemoveDialog
        accountId={accountId}
        action={asked}
        target={target}
        frozen={frozen}
        recount={recount}
        onClose={() => setAsked(null)}
        onStarted={(jobId) => started(jobId, true)}
        onStale={onStale}
      />
    </>
  );
}

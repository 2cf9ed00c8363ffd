import { Box, Checkbox, Group, Skeleton, Text, VisuallyHidden } from '@mantine/core';
import {
  IconArchive,
  IconLock,
  IconMail,
  IconMailDown,
  IconMailOpened,
  IconPaperclip,
  IconTrash,
} from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes, formatFullDate, formatNumber, formatShortDate } from '../i18n/format';
import { senderName } from './sender';
import { SenderAvatar } from './SenderAvatar';
import { useSwipe, type SwipeSide } from './use-swipe';
import classes from './mail.module.css';

/** Fields of a mail that a row shows, live or archived. */
export interface RowMail {
  readonly from: string;
  readonly subject: string;
  readonly snippet?: string;
  readonly date: string;
  /** The date is that of the arrival, as the message has no credible one. */
  readonly isDateDoubtful?: boolean;
  readonly sizeBytes: number;
  readonly hasAttachments: boolean;
  readonly isUnread?: boolean;
  readonly isEncrypted?: boolean;
  /** The mailbox has it no longer. */
  readonly isOnlyInArchive?: boolean;
  /** Number of messages, for a conversation. */
  readonly count?: number;
}

interface MailRowProps {
  /** Its place in the list. */
  readonly index: number;
  /** null when the mail is gone, undefined while it is loaded. */
  readonly mail: RowMail | null | undefined;
  readonly chosen?: boolean;
  /** A job is changing it. */
  readonly changing?: boolean;
  readonly opened: boolean;
  readonly onOpen: (index: number) => void;
  /** Without it nothing can be chosen. */
  readonly onChoose?: (index: number, range: boolean) => void;
  /** Without it the row has no buttons of its own. */
  readonly onAct?: (index: number, action: RowAction) => void;
  /** Called after a swipe by finger; without it the row stays where it is. */
  readonly onSwipe?: (index: number, side: SwipeSide) => void;
  /** A drag with the mouse begins; without it the row cannot be dragged. */
  readonly onDrag?: (index: number, transfer: DataTransfer) => void;
}

/** Actions of the buttons that a row shows below the pointer. */
export type RowAction = 'archive' | 'trash' | 'mark_read' | 'mark_unread';

/** On a touch screen a long press would begin to drag. */
const HAS_MOUSE = window.matchMedia('(hover: hover)').matches;

/** One mail of a list; it is rendered again only when it shows something else, as lists are with every frame they scroll. */
export const MailRow = memo(Row, isSame);

function isSame({ mail: before, ...was }: MailRowProps, { mail: after, ...is }: MailRowProps): boolean {
  return sameFields(was, is) && (before === after || (!!before && !!after && sameFields(before, after)));
}

function sameFields<T extends object>(one: T, other: T): boolean {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<keyof T>;
  return [...keys].every((key) => one[key] === other[key]);
}

function Row({
  index,
  mail,
  chosen = false,
  changing = false,
  opened,
  onOpen,
  onChoose,
  onAct,
  onSwipe,
  onDrag,
}: MailRowProps): ReactNode {
  const { t } = useTranslation();
  const swipe = useSwipe((side) => onSwipe?.(index, side));
  if (mail === undefined)
    return (
      <Box className={classes.row} onClick={() => onOpen(index)}>
        <Skeleton height={14} />
        <VisuallyHidden>{t('common.loading')}</VisuallyHidden>
      </Box>
    );
  if (mail === null)
    return (
      <Text className={classes.row} c="dimmed" size="sm">
        {t('mailFacts.row.gone')}
      </Text>
    );
  const { from, subject, snippet, isUnread, count } = mail;
  const row = (
    <Box
      className={`${classes.row} ${classes.mail}`}
      {...(onSwipe && swipe)}
      draggable={onDrag !== undefined && HAS_MOUSE}
      onDragStart={(event) => onDrag?.(index, event.dataTransfer)}
      data-chosen={chosen || undefined}
      data-opened={opened || undefined}
      data-changing={changing || undefined}
      onClick={() => onOpen(index)}
    >
      {changing && <VisuallyHidden>{t('mailFacts.row.changing')}</VisuallyHidden>}
      {/* For the mouse: the list itself tells what is chosen, and takes the keys. */}
      {onChoose && (
        <Checkbox.Indicator
          className={classes.choice}
          checked={chosen}
          aria-hidden
          title={t('mailFacts.row.choose')}
          onClick={(event) => {
            event.stopPropagation();
            onChoose(index, event.shiftKey);
          }}
        />
      )}
      <div className={classes.avatar}>
        <SenderAvatar from={from} />
      </div>
      <div className={classes.sender}>
        <Text size="sm" fw={isUnread ? 700 : 400} truncate title={from}>
          {senderName(from)}
        </Text>
        {count !== undefined && count > 1 && (
          <Text size="sm" c="dimmed" className={classes.count}>
            ({formatNumber(count)})
          </Text>
        )}
      </div>
      <Text size="sm" truncate className={classes.subject}>
        <Text span fw={isUnread ? 700 : 400}>
          {subject || t('mail.noSubject')}
        </Text>
        <Text span c="dimmed">
          {' '}
          {snippet}
        </Text>
      </Text>
      <RowFacts {...mail} />
      {onAct && <RowButtons isUnread={isUnread === true} onAct={(action) => onAct(index, action)} />}
    </Box>
  );
  if (!onSwipe) return row;
  return (
    <div className={classes.swiped}>
      <div className={classes.behind} aria-hidden>
        <IconMailDown size={20} />
        <IconTrash size={20} />
      </div>
      {row}
    </div>
  );
}

interface RowButtonsProps {
  readonly isUnread: boolean;
  readonly onAct: (action: RowAction) => void;
}

/** Buttons in place of size and date, for the mouse: keys and the bar above the list do the same. */
function RowButtons({ isUnread, onAct }: RowButtonsProps): ReactNode {
  const { t } = useTranslation();
  const buttons: readonly (readonly [RowAction, typeof IconMail])[] = [
    ['archive', IconMailDown],
    ['trash', IconTrash],
    isUnread ? ['mark_read', IconMailOpened] : ['mark_unread', IconMail],
  ];
  return (
    <div className={classes.buttons} aria-hidden>
      {buttons.map(([action, Icon]) => (
        <span
          key={action}
          className={classes.button}
          title={t(`mailFacts.row.actions.${action}`)}
          onClick={(event) => {
            event.stopPropagation();
            onAct(action);
          }}
        >
          <Icon size={18} />
        </span>
      ))}
    </div>
  );
}

function RowFacts({
  hasAttachments,
  isEncrypted,
  isOnlyInArchive,
  sizeBytes,
  date,
  isDateDoubtful,
}: RowMail): ReactNode {
  const { t } = useTranslation();
  return (
    <Group gap={6} wrap="nowrap" className={classes.facts}>
      {isOnlyInArchive && (
        <IconArchive
          size={14}
          role="img"
          aria-label={t('mailFacts.row.onlyInArchive')}
          title={t('mailFacts.row.onlyInArchive')}
        />
      )}
      {isEncrypted && <IconLock size={14} role="img" aria-label={t('mailFacts.row.encrypted')} />}
      {hasAttachments && (
        <IconPaperclip size={14} role="img" aria-label={t('mailFacts.row.hasAttachments')} />
      )}
      <Text size="xs" c="dimmed" className={classes.size}>
        {formatBytes(sizeBytes)}
      </Text>
      <Text size="xs" c="dimmed" className={classes.date} title={formatFullDate(date)}>
        {formatShortDate(date)}
        {isDateDoubtful && (
          <span
            role="img"
            aria-label={t('mailFacts.row.dateDoubtful')}
            title={t('mailFacts.row.dateDoubtful')}
          >
            {' '}
            ?
          </span>
        )}
      </Text>
    </Group>
  );
}

import { ScrollArea, Text } from '@mantine/core';
import {
  IconAlertOctagon,
  IconChevronDown,
  IconChevronRight,
  IconFileText,
  IconInbox,
  IconMail,
  IconSend,
  IconStar,
  IconTag,
  IconTrash,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type DragEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { formatNumber } from '../../../i18n/format';
import { shownLabel } from '../../../shared/labels/label-name';
import { PlainList } from '../../../ui/PlainList';
import { hasTerm } from '../../../ui/query-terms';
import { draggedMessages, isDraggingMessages } from './dragged-messages';
import { foldersOf, treeOf, type LabelNode } from './label-tree';
import { useMessageAction, type MessageAction } from './MessageActions';
import classes from './label-tree.module.css';

const ICON_PX = 16;
const INDENT_PX = 14;
const ICONS = {
  INBOX: IconInbox,
  STARRED: IconStar,
  SENT: IconSend,
  DRAFT: IconFileText,
  SPAM: IconAlertOctagon,
  TRASH: IconTrash,
} as const;

/** Actions of folders on which messages are dropped; the user's labels are added. */
const DROPS: Readonly<Record<string, MessageAction>> = { INBOX: 'label', SPAM: 'spam', TRASH: 'trash' };

interface LabelTreeProps {
  readonly accountId: string;
  readonly query: string;
}

/** Folders and labels beside the list: each is a search, and messages can be dropped on them. */
export function LabelTree({ accountId, query }: LabelTreeProps): ReactNode {
  const { t } = useTranslation();
  const labels = useQuery(op('mailbox.listLabels', { accountId })).data;
  // The list beside it is what people came for: a failure is said where labels are chosen.
  if (!labels) return <div />;
  const folders = foldersOf(labels).map((node) => ({ ...node, name: shownLabel(node) }));
  const all: LabelNode = { id: '', name: t('mailbox.tree.all'), term: '', unread: 0, children: [] };
  const common = { accountId, query, depth: 0 };
  return (
    <ScrollArea component="nav" aria-label={t('mailbox.tree.title')} type="auto">
      <PlainList gap={0}>
        {folders.map((node) => (
          <Node key={node.id} node={node} {...common} />
        ))}
        <Node node={all} isAll {...common} />
      </PlainList>
      <Text size="xs" c="dimmed" fw={600} mt="sm" mb={4} px={8} id="own-labels">
        {t('mailbox.filters.labels')}
      </Text>
      <PlainList gap={0} aria-labelledby="own-labels">
        {treeOf(labels).map((node) => (
          <Node key={node.name} node={node} {...common} />
        ))}
      </PlainList>
    </ScrollArea>
  );
}

interface NameProps {
  readonly accountId: string;
  readonly term: string;
  readonly isOpen: boolean;
  /** Whether it is a folder or label itself, and not only the first part of the names of others. */
  readonly isFolder: boolean;
  readonly children: ReactNode;
}

function Name({ accountId, term, isOpen, isFolder, children }: NameProps): ReactNode {
  if (!isFolder) return <span className={classes.name}>{children}</span>;
  return (
    <Link
      to="/a/$accountId/mailbox"
      params={{ accountId }}
      search={{ q: term || undefined }}
      className={classes.name}
      aria-current={isOpen ? 'page' : undefined}
    >
      {children}
    </Link>
  );
}

interface NodeProps {
  readonly accountId: string;
  readonly node: LabelNode;
  readonly depth: number;
  readonly query: string;
  /** Stands for all mail, without a search. */
  readonly isAll?: boolean;
}

function Node({ accountId, node, depth, query, isAll = false }: NodeProps): ReactNode {
  const { t } = useTranslation();
  const [isClosed, setClosed] = useState(false);
  const [isOver, setOver] = useState(false);
  const act = useMessageAction();
  const { id, name, term, unread, children } = node;
  const isOpen = isAll ? query === '' : term !== '' && hasTerm(query, term);
  const Icon = id in ICONS ? ICONS[id as keyof typeof ICONS] : isAll ? IconMail : IconTag;
  const drop = id in ICONS ? DROPS[id] : id === '' ? undefined : 'label';
  const over = (event: DragEvent, isNow: boolean): void => {
    if (drop === undefined || !isDraggingMessages(event.dataTransfer)) return;
    event.preventDefault();
    setOver(isNow);
  };
  const Chevron = isClosed ? IconChevronRight : IconChevronDown;
  return (
    <li>
      <div
        className={classes.node}
        data-open={isOpen || undefined}
        data-over={isOver || undefined}
        style={{ paddingInlineStart: 8 + depth * INDENT_PX }}
        onDragOver={(event) => over(event, true)}
        onDragLeave={(event) => over(event, false)}
        onDrop={(event) => {
          over(event, false);
          if (drop) act(drop, draggedMessages(event.dataTransfer), drop === 'label' ? id : undefined);
        }}
      >
        <Name {...{ accountId, term, isOpen, isFolder: term !== '' || isAll }}>
          <Icon size={ICON_PX} aria-hidden />
          <span className={classes.text}>{name}</span>
          {unread > 0 && (
            <span className={classes.unread}>
              {formatNumber(unread)}
              <span className={classes.hidden}> {t('mailbox.tree.unread')}</span>
            </span>
          )}
        </Name>
        {children.length > 0 && (
          <button
            type="button"
            className={classes.toggle}
            aria-expanded={!isClosed}
            aria-label={t('mailbox.tree.below', { name })}
            onClick={() => setClosed(!isClosed)}
          >
            <Chevron size={ICON_PX} aria-hidden />
          </button>
        )}
      </div>
      {children.length > 0 && !isClosed && (
        <PlainList gap={0}>
          {children.map((child) => (
            <Node key={child.name} accountId={accountId} node={child} depth={depth + 1} query={query} />
          ))}
        </PlainList>
      )}
    </li>
  );
}

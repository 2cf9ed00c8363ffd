import { Menu } from '@mantine/core';
import {
  IconAlertOctagon,
  IconArchive,
  IconDeviceFloppy,
  IconFolderSymlink,
  IconMail,
  IconMailOpened,
  IconTag,
  IconTrash,
  IconUserSearch,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { senderName } from '../../../ui/sender';
import { useMessageAction, type MessageAction } from './MessageActions';

const ICON_PX = 16;
const ITEMS = [
  { action: 'archive', icon: IconArchive },
  { action: 'trash', icon: IconTrash },
  { action: 'spam', icon: IconAlertOctagon },
  { action: 'label', icon: IconTag },
  { action: 'move', icon: IconFolderSymlink },
  { action: 'keep', icon: IconDeviceFloppy },
] as const satisfies readonly { action: MessageAction; icon: unknown }[];

/** Place and messages of a menu that was asked for with the second button of the mouse. */
export interface RowMenuTarget {
  /** Pixels from the corner of the window. */
  readonly at: { readonly x: number; readonly y: number };
  readonly messageIds: readonly string[];
  /** Row that the menu was asked for. */
  readonly from: string;
  readonly isUnread: boolean;
}

interface RowMenuProps {
  /** null: closed. */
  readonly target: RowMenuTarget | null;
  readonly onSender: (from: string) => void;
  readonly onClose: () => void;
}

/** The menu of a row, at the pointer. */
export function RowMenu({ target, onSender, onClose }: RowMenuProps): ReactNode {
  const { t } = useTranslation();
  const act = useMessageAction();
  if (target === null) return null;
  const { at, messageIds, from, isUnread } = target;
  const mark = isUnread ? 'mark_read' : 'mark_unread';
  return (
    <Menu opened onClose={onClose} position="bottom-start" shadow="md" returnFocus withinPortal>
      <Menu.Target>
        <div style={{ position: 'fixed', left: at.x, top: at.y, width: 0, height: 0 }} />
      </Menu.Target>
      <Menu.Dropdown>
        {messageIds.length > 1 && (
          <Menu.Label>{t('mailbox.chosen', { count: messageIds.length })}</Menu.Label>
        )}
        <Menu.Item
          leftSection={
            isUnread ? <IconMailOpened size={ICON_PX} aria-hidden /> : <IconMail size={ICON_PX} aria-hidden />
          }
          onClick={() => act(mark, messageIds)}
        >
          {t(`mailbox.actions.${mark}`)}
        </Menu.Item>
        {ITEMS.map(({ action, icon: Icon }) => (
          <Menu.Item
            key={action}
            leftSection={<Icon size={ICON_PX} aria-hidden />}
            onClick={() => act(action, messageIds)}
          >
            {t(`mailbox.rowMenu.${action}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconUserSearch size={ICON_PX} aria-hidden />} onClick={() => onSender(from)}>
          {t('mailbox.rowMenu.sender', { name: senderName(from) })}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

import { Group, Kbd, Modal, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { GO_TO } from './shortcut-reader';
import { PlainList } from '../ui/PlainList';

/** Keys of lists; they work while the list has the focus. */
const LIST_KEYS = [
  { keys: ['j', 'k'], text: 'move' },
  { keys: ['Enter'], text: 'open' },
  { keys: ['Esc'], text: 'close' },
  { keys: ['x'], text: 'choose' },
  { keys: ['Shift', 'x'], text: 'range' },
  { keys: ['*'], text: 'all' },
] as const;

/** Keys that change the chosen messages of the mailbox, or the one at hand. */
const ACTION_KEYS = [
  { keys: ['e'], text: 'archiveMessage' },
  { keys: ['#'], text: 'trash' },
  { keys: ['!'], text: 'spam' },
  { keys: ['r'], text: 'read' },
  { keys: ['u'], text: 'unread' },
  { keys: ['l'], text: 'label' },
  { keys: ['v'], text: 'moveTo' },
  { keys: ['z'], text: 'undo' },
] as const;

interface KeyListProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** The list of all keys. */
export function KeyList({ opened, onClose }: KeyListProps): ReactNode {
  const { t } = useTranslation();
  const lines = [
    { keys: ['?'], text: 'help' },
    { keys: ['Ctrl', 'k'], text: 'palette' },
    { keys: ['/'], text: 'search' },
    { keys: ['f'], text: 'searchHere' },
    ...LIST_KEYS,
    ...ACTION_KEYS,
    ...Object.entries(GO_TO).map(([letter, { text }]) => ({ keys: ['g', letter], text })),
  ] as const;
  return (
    <Modal opened={opened} onClose={onClose} title={t('keys.title')}>
      <PlainList gap="xs">
        {lines.map(({ keys, text }) => (
          <Group key={text} component="li" justify="space-between">
            <Text size="sm">{t(`keys.${text}`)}</Text>
            <Group gap={4}>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </Group>
          </Group>
        ))}
      </PlainList>
    </Modal>
  );
}

import { Group, Kbd, Modal, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useAccount } from '../api/me';
import { GO_TO, LIST_KEYS, ShortcutReader } from './shortcut-reader';

/** Keys that work on every page, and the list of all keys. */
export function Shortcuts(): ReactNode {
  const [opened, setOpened] = useState(false);
  const navigate = useNavigate();
  const accountId = useAccount()?.id;
  useEffect(() => {
    const reader = new ShortcutReader();
    const hear = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const shortcut = reader.read(event.key, event.timeStamp);
      if (shortcut?.kind === 'help') setOpened(true);
      if (shortcut?.kind !== 'go') return;
      const { to } = GO_TO[shortcut.page];
      if (to === '/settings') void navigate({ to });
      else if (accountId !== undefined) void navigate({ to, params: { accountId } });
    };
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, [navigate, accountId]);
  return <KeyList opened={opened} onClose={() => setOpened(false)} />;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

function KeyList({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const lines = [
    { keys: ['?'], text: 'help' },
    { keys: ['/'], text: 'search' },
    ...LIST_KEYS,
    ...Object.entries(GO_TO).map(([letter, { text }]) => ({ keys: ['g', letter], text })),
  ] as const;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('keys.title')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
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
      </Stack>
    </Modal>
  );
}

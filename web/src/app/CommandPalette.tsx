import {
  Combobox,
  Group,
  Kbd,
  Modal,
  ScrollArea,
  Text,
  TextInput,
  useCombobox,
  useMantineColorScheme,
  type MantineColorScheme,
} from '@mantine/core';
import {
  IconDeviceDesktop,
  IconKeyboard,
  IconMail,
  IconMoon,
  IconSearch,
  IconSun,
  IconUserCircle,
} from '@tabler/icons-react';
import { useNavigate, type NavigateOptions } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useAccount, useMe } from '../api/me';
import { usePageCommands } from '../ui/page-commands';
import { usePlaces } from './places';
import { matchesCommand } from './matches-command';

const ICON_PX = 18;

const SCHEMES = [
  { scheme: 'light', icon: IconSun },
  { scheme: 'dark', icon: IconMoon },
  { scheme: 'auto', icon: IconDeviceDesktop },
] as const satisfies readonly { scheme: MantineColorScheme; icon: unknown }[];

interface Command {
  readonly id: string;
  readonly text: string;
  /** Text beside it, which is searched as well. */
  readonly about?: string;
  readonly icon: ReactNode;
  /** Key that does the same. */
  readonly keys?: string;
  readonly run: () => void;
}

interface CommandPaletteProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onKeys: () => void;
}

/** Every place and command by its name. What is typed can be searched for in all mail as well. */
export function CommandPalette({ opened, onClose, onKeys }: CommandPaletteProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      yOffset="12vh"
      size="lg"
      aria-label={t('palette.title')}
      transitionProps={{ duration: 0 }}
    >
      <Commands onKeys={onKeys} onDone={onClose} />
    </Modal>
  );
}

interface CommandsProps {
  readonly onKeys: () => void;
  readonly onDone: () => void;
}

/** The field and the list; a new one each time the palette is opened. */
function Commands({ onKeys, onDone }: CommandsProps): ReactNode {
  const { t } = useTranslation();
  const [query, setQuery] = useState('');
  const combobox = useCombobox({ opened: true });
  const groups = useFound(query, useCommands(onKeys));
  const run = (wanted: string): void => {
    onDone();
    groups
      .flatMap(([, commands]) => commands)
      .find(({ id }) => id === wanted)
      ?.run();
  };
  // What comes first is run by Enter.
  useEffect(() => {
    combobox.selectFirstOption();
  }, [combobox, query]);
  return (
    <Combobox store={combobox} onOptionSubmit={run} withinPortal={false}>
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput
          data-autofocus
          size="md"
          variant="unstyled"
          px="sm"
          aria-label={t('palette.title')}
          placeholder={t('palette.placeholder')}
          leftSection={<IconSearch size={ICON_PX} aria-hidden />}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          // The list takes the key to close itself, and is always open.
          onKeyDown={(event) => {
            if (event.key === 'Escape') onDone();
          }}
        />
      </Combobox.EventsTarget>
      <ScrollArea.Autosize mah="min(420px, 60vh)" type="auto">
        <Combobox.Options aria-label={t('palette.title')} p="xs">
          {groups.map(([name, commands]) => (
            <Combobox.Group key={name} label={t(`palette.groups.${name}`)}>
              {commands.map(({ id, text, about, icon, keys }) => (
                <Combobox.Option key={id} value={id}>
                  <Group gap="sm" wrap="nowrap">
                    {icon}
                    <Text size="sm" flex={1}>
                      {text}
                    </Text>
                    {about !== undefined && (
                      <Text size="xs" c="dimmed">
                        {about}
                      </Text>
                    )}
                    {keys !== undefined && <Kbd>{keys}</Kbd>}
                  </Group>
                </Combobox.Option>
              ))}
            </Combobox.Group>
          ))}
        </Combobox.Options>
      </ScrollArea.Autosize>
    </Combobox>
  );
}

type Groups = readonly (readonly [GroupName, readonly Command[]])[];

/** The commands that match what is typed, and the search for it. */
function useFound(query: string, all: Groups): Groups {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const words = query.trim();
  const found = all.map(([name, commands]) => {
    const matching = commands.filter(({ text, about }) => matchesCommand(words, `${text} ${about ?? ''}`));
    return [name, matching] as const;
  });
  const search: Command = {
    id: 'search',
    text: t('palette.search', { words }),
    icon: <IconSearch size={ICON_PX} aria-hidden />,
    run: () => void navigate({ to: '/search', search: { q: words } }),
  };
  return [...found, ['search', words === '' ? [] : [search]] as const].filter(
    ([, commands]) => commands.length > 0,
  );
}

type GroupName = 'page' | 'go' | 'mailboxes' | 'do' | 'search';

/** All commands, by what they are about. */
function useCommands(onKeys: () => void): Groups {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { mailboxAccounts } = useMe();
  const accountId = useAccount()?.id;
  const { setColorScheme } = useMantineColorScheme();
  const pages: Command[] = usePlaces().flatMap(({ name, icon: Icon, pages: all }) =>
    all.map(({ to, text }) => ({
      id: to,
      text: t(`shell.pages.${text}`),
      about: all.length > 1 ? t(`shell.places.${name}`) : undefined,
      icon: <Icon size={ICON_PX} aria-hidden />,
      run: () => void navigate({ to, params: { accountId } } as NavigateOptions),
    })),
  );
  const mailboxes: Command[] = mailboxAccounts.map((account) => ({
    id: account.id,
    text: account.email,
    icon: <IconMail size={ICON_PX} aria-hidden />,
    run: () => void navigate({ to: '/a/$accountId/overview', params: { accountId: account.id } }),
  }));
  const others: Command[] = [
    {
      id: 'keys',
      text: t('palette.keys'),
      keys: '?',
      icon: <IconKeyboard size={ICON_PX} aria-hidden />,
      run: onKeys,
    },
    {
      id: 'connect',
      text: t('shell.connectAnother'),
      icon: <IconUserCircle size={ICON_PX} aria-hidden />,
      run: () => void navigate({ to: '/settings' }),
    },
    ...SCHEMES.map(({ scheme, icon: Icon }) => ({
      id: scheme,
      text: t(`common.theme.${scheme}`),
      about: t('common.theme.label'),
      icon: <Icon size={ICON_PX} aria-hidden />,
      run: () => setColorScheme(scheme),
    })),
  ];
  const here = usePageCommands().map(({ id, text, keys, run }) => ({ id, text, keys, run, icon: null }));
  return [
    ['page', here],
    ['go', pages],
    ['mailboxes', mailboxes.length > 1 ? mailboxes : []],
    ['do', others],
  ];
}

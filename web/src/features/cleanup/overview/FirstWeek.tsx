import { Anchor, Button, Checkbox, Code, Group, Stack, Text } from '@mantine/core';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { hasNoMailbox, useMe, type MailboxAccount } from '../../../api/me';
import { op } from '../../../api/op';
import { PlainList } from '../../../ui/PlainList';
import { Section } from '../../../ui/Section';
import { readMemory, remember } from './home-memory';

interface Step {
  readonly name: 'mail' | 'keep' | 'secondFactor' | 'backup';
  /** null while it is not known. */
  readonly isDone: boolean | null;
}

interface FirstWeekProps {
  readonly account: MailboxAccount | undefined;
  /** Shown once the list is done, or was taken away. */
  readonly after: ReactNode;
}

/** The list of things to do in the first week. The service ticks the ones it knows of; the list leaves when all are done, or on request. */
export function FirstWeek({ account, after }: FirstWeekProps): ReactNode {
  const { t } = useTranslation();
  const { user } = useMe();
  const [memory, setMemory] = useState(() => readMemory(user.id));
  const change = (changes: typeof memory): void => {
    remember(user.id, changes);
    setMemory({ ...memory, ...changes });
  };
  const steps = useSteps(account, memory.backup === true);
  const count = steps.filter(({ isDone }) => isDone === false).length;
  // Without a mailbox there is nothing else to show.
  const canBeHidden = account !== undefined;
  if ((canBeHidden && memory.hidden) || count === 0)
    return steps.some(({ isDone }) => isDone === null) ? null : after;
  return (
    <Section title={t('home.firstWeek.title')}>
      <Group justify="space-between" mb="sm">
        <Text size="sm" c="dimmed">
          {t('home.firstWeek.left', { count })}
        </Text>
        {canBeHidden && (
          <Button size="compact-sm" variant="subtle" onClick={() => change({ hidden: true })}>
            {t('home.firstWeek.hide')}
          </Button>
        )}
      </Group>
      <PlainList gap="sm">
        {steps.map(({ name, isDone }) => (
          <li key={name}>
            <Group gap="sm" wrap="nowrap" align="start">
              <Mark isDone={isDone} />
              <Stack gap={2} miw={0}>
                <Title name={name} accountId={account?.id} isDone={isDone} />
                {isDone !== true && (
                  <Text size="sm" c="dimmed">
                    {t(`home.firstWeek.${name}Text`)}
                  </Text>
                )}
                {name === 'backup' && (
                  <>
                    {isDone !== true && <Code>{BACKUP}</Code>}
                    <Checkbox
                      size="xs"
                      mt={4}
                      label={t('home.firstWeek.backupDone')}
                      checked={isDone === true}
                      onChange={(event) => change({ backup: event.currentTarget.checked })}
                    />
                  </>
                )}
              </Stack>
            </Group>
          </li>
        ))}
      </PlainList>
    </Section>
  );
}

const BACKUP = 'npm run cli -- backup /backups/mailroom';
const MARK_PX = 22;

function Mark({ isDone }: Pick<Step, 'isDone'>): ReactNode {
  const { t } = useTranslation();
  const [Icon, color] = isDone
    ? ([IconCircleCheckFilled, 'var(--mantine-color-teal-7)'] as const)
    : ([IconCircle, 'var(--mantine-color-dimmed)'] as const);
  return (
    <Icon
      size={MARK_PX}
      color={color}
      role="img"
      aria-label={t(isDone ? 'home.firstWeek.done' : 'home.firstWeek.open')}
      style={{ flexShrink: 0 }}
    />
  );
}

/** A link to where it is done. Backups are made on the computer of the service, and only a mailbox can be kept. */
function Title({ name, accountId, isDone }: Step & { readonly accountId: string | undefined }): ReactNode {
  const { t } = useTranslation();
  const text = t(`home.firstWeek.${name}`);
  const look = isDone ? { c: 'dimmed' } : { fw: 600 };
  if (name === 'backup' || (name === 'keep' && accountId === undefined)) return <Text {...look}>{text}</Text>;
  const target = (
    name === 'keep' ? { to: '/a/$accountId/keep', params: { accountId } } : { to: TARGETS[name] }
  ) as LinkProps;
  return (
    <Anchor {...look} renderRoot={(root) => <Link {...target} {...root} />}>
      {text}
    </Anchor>
  );
}

const TARGETS = { mail: '/settings', secondFactor: '/settings/security' } as const;

function useSteps(account: MailboxAccount | undefined, hasBackup: boolean): readonly Step[] {
  const { user } = useMe();
  const isLive = account !== undefined && !hasNoMailbox(account);
  const archiving = useQuery({ ...op('archiving.get', { accountId: account?.id ?? '' }), enabled: isLive });
  const config = useQuery(op('auth.config'));
  const asksForKeys = config.data?.passkeys === true && !user.totp_enabled && user.has_password;
  const passkeys = useQuery({ ...op('passkeys.list'), enabled: asksForKeys });
  const mode = archiving.data?.mode;
  const isKept = mode === undefined ? null : mode === 'keep';
  const hasKeys = passkeys.data === undefined ? null : passkeys.data.length > 0;
  const steps: readonly (Step | false)[] = [
    { name: 'mail', isDone: account !== undefined },
    (account === undefined || isLive) && { name: 'keep', isDone: account === undefined ? false : isKept },
    user.has_password && {
      name: 'secondFactor',
      isDone: user.totp_enabled || (config.data === undefined ? null : asksForKeys && hasKeys),
    },
    user.role === 'admin' && { name: 'backup', isDone: hasBackup },
  ];
  return steps.filter((step) => step !== false);
}

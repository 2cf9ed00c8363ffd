import { ActionIcon, Badge, Box, Group, Stack, Text, Title } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatFullDate } from '../i18n/format';
import { SoughtText } from './highlights/Sought';
import classes from './mail.module.css';
import { senderText } from './sender';
import { Wrapping } from './Wrapping';

interface MailReaderProps {
  /** Headers of the mail, or what stands in for them. */
  readonly head: ReactNode;
  readonly children: ReactNode;
  readonly onClose: () => void;
}

/** The frame of a mail that is being read. */
export function MailReader({ head, children, onClose }: MailReaderProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Box component="section" className={classes.reader} aria-label={t('mailFacts.reader')} p="sm">
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <Box miw={0} flex={1}>
          {head}
        </Box>
        <ActionIcon variant="subtle" aria-label={t('mailFacts.close')} onClick={onClose}>
          <IconX size={18} aria-hidden />
        </ActionIcon>
      </Group>
      {children}
    </Box>
  );
}

export interface MailHeadProps {
  readonly subject: string;
  readonly from: string;
  readonly to: string;
  readonly date: string;
}

/** Lines with sender, recipients and date; a mail may have no recipient, and no date. */
export const headLines = (
  t: TFunction,
  { from, to, date }: Omit<MailHeadProps, 'subject'>,
): readonly (readonly [name: string, value: string])[] => [
  [t('mailFacts.from'), senderText(from)],
  ...(to.trim() === '' ? [] : [[t('mailFacts.to'), to] as const]),
  ...(date.trim() === '' ? [] : [[t('mailFacts.date'), formatFullDate(date)] as const]),
];

/** Head of a mail. */
export function MailHead({ subject, from, to, date }: MailHeadProps): ReactNode {
  const { t } = useTranslation();
  const lines = headLines(t, { from, to, date });
  return (
    <Stack gap={2}>
      <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
        {subject ? <SoughtText text={subject} place="subject" /> : t('mail.noSubject')}
      </Title>
      {lines.map(([name, value]) => (
        <Wrapping key={name} size="sm">
          <Text span c="dimmed">
            {name}
          </Text>{' '}
          <SoughtText text={value} place="people" />
        </Wrapping>
      ))}
    </Stack>
  );
}

interface SafetyNotesProps {
  readonly trackersRemoved: number;
  readonly remoteContentBlocked: number;
  readonly truncated: boolean;
}

/** Parts that were removed from a mail to make it safe. */
export function SafetyNotes({
  trackersRemoved,
  remoteContentBlocked,
  truncated,
}: SafetyNotesProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Group gap="xs" mt="xs">
      {trackersRemoved > 0 && (
        <Badge variant="outline" color="grape" tt="none">
          {t('mailFacts.trackers', { count: trackersRemoved })}
        </Badge>
      )}
      {remoteContentBlocked > 0 && (
        <Badge variant="default" tt="none">
          {t('mailFacts.remote', { count: remoteContentBlocked })}
        </Badge>
      )}
      {truncated && <Text size="sm">{t('mailFacts.truncated')}</Text>}
    </Group>
  );
}

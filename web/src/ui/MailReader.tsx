import { ActionIcon, Anchor, Badge, Box, Group, Stack, Text, Title } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import type { KeyboardEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatFullDate } from '../i18n/format';
import { SoughtText } from './highlights/Sought';
import classes from './mail.module.css';
import type { ReaderSteps } from './reader-steps';
import { ReaderTools } from './ReaderTools';
import { senderText } from './sender';
import { Wrapping } from './Wrapping';

interface MailReaderProps {
  /** Headers of the mail, or what stands in for them. */
  readonly head: ReactNode;
  readonly children: ReactNode;
  /** The way to the mails beside it in the list. */
  readonly steps: ReaderSteps | undefined;
  readonly onClose: () => void;
}

/** The frame of a mail that is being read. Keys: to the next and the previous one, as in the list. */
export function MailReader({ head, children, steps, onClose }: MailReaderProps): ReactNode {
  const { t } = useTranslation();
  const step = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event)) return;
    if (event.key === 'j') steps?.take('next');
    else if (event.key === 'k') steps?.take('previous');
  };
  return (
    <Box
      component="section"
      className={classes.reader}
      aria-label={t('mailFacts.reader')}
      p="sm"
      onKeyDown={step}
    >
      <Group className={classes.tools} justify="space-between" wrap="nowrap" mb="xs">
        <ReaderTools steps={steps} />
        <ActionIcon variant="subtle" aria-label={t('mailFacts.close')} onClick={onClose}>
          <IconX size={18} aria-hidden />
        </ActionIcon>
      </Group>
      {/* Its full height, also where the text below it scrolls. */}
      <Box style={{ flexShrink: 0 }}>{head}</Box>
      {children}
    </Box>
  );
}

/** Whether a key was pressed in a field, or in a dialog or menu of the reader, which is elsewhere in the document. */
const isElsewhere = ({ target, currentTarget }: KeyboardEvent): boolean =>
  !(target instanceof HTMLElement) ||
  !currentTarget.contains(target) ||
  target.matches('input:not([type=radio], [type=checkbox]), textarea, select');

export interface MailHeadProps {
  readonly subject: string;
  readonly from: string;
  readonly to: string;
  readonly date: string;
}

interface HeadProps extends MailHeadProps {
  /** Shows the mail of its sender. */
  readonly onMoreFrom?: (from: string) => void;
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
export function MailHead({ subject, from, to, date, onMoreFrom }: HeadProps): ReactNode {
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
      {onMoreFrom && from.trim() !== '' && (
        <Anchor
          component="button"
          type="button"
          size="sm"
          style={{ alignSelf: 'start' }}
          onClick={() => onMoreFrom(from)}
        >
          {t('mailFacts.moreFrom')}
        </Anchor>
      )}
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

import { Badge, Card, Group, Text } from '@mantine/core';
import type { Item, Schemas } from '@mailroom/sdk';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatFullDate, formatShortDate } from '../../../i18n/format';
import { OneLine } from '../../../ui/OneLine';
import { senderText } from '../../../ui/sender';
import { Wrapping, WrappingLink } from '../../../ui/Wrapping';
import { Marked } from '../../../ui/highlights/Marked';

export type FoundMessage = Item<'search.search'>;
type Excerpt = Schemas['ExcerptResponse'];

interface FoundItemProps {
  readonly message: FoundMessage;
  readonly q: string;
  /** Where the search looked: what it found in a mailbox is read there. */
  readonly place: 'all' | 'mailbox' | 'archive';
  /** Address of the mailbox. */
  readonly mailbox: string;
}

/** A message that was found: whose it is, the parts that match, and a link to where it is read. */
export function FoundItem({ message, q, place, mailbox }: FoundItemProps): ReactNode {
  const { t } = useTranslation();
  const { subject, sender, snippet, excerpts, date } = message;
  const inSubject = excerpts.find(({ field }) => field === 'subject');
  const inSender = excerpts.find(({ field }) => field === 'sender');
  const others = excerpts.filter((excerpt) => excerpt !== inSubject && excerpt !== inSender);
  const isTextShown = others.some(({ field }) => field === 'text');
  return (
    <Card withBorder component="li" padding="sm">
      <Group justify="space-between" wrap="nowrap" align="start">
        <WrappingLink
          fw={500}
          renderRoot={(root) => <MessageLink message={message} q={q} place={place} {...root} />}
        >
          {inSubject?.text === subject ? <Marked {...inSubject} /> : subject || t('mail.noSubject')}
        </WrappingLink>
        <OneLine size="xs" c="dimmed" title={formatFullDate(date)}>
          {formatShortDate(date)}
        </OneLine>
      </Group>
      <Wrapping size="sm">{inSender ? <Marked {...inSender} /> : senderText(sender)}</Wrapping>
      {inSubject && inSubject.text !== subject && <ExcerptLine excerpt={inSubject} />}
      {others.map((excerpt) => (
        <ExcerptLine key={excerpt.field} excerpt={excerpt} />
      ))}
      {!isTextShown && snippet !== '' && (
        <Wrapping size="sm" c="dimmed" lineClamp={2}>
          {snippet}
        </Wrapping>
      )}
      <Group gap="xs" mt={4}>
        <Badge variant="default" size="sm" tt="none" fw={500}>
          {t(`search.badges.${message.place}`)}
        </Badge>
        {message.is_encrypted && (
          <Badge variant="default" size="sm" tt="none" fw={500}>
            {t('search.encrypted')}
          </Badge>
        )}
        <Wrapping size="xs" c="dimmed">
          {mailbox}
        </Wrapping>
      </Group>
    </Card>
  );
}

function ExcerptLine({ excerpt }: { readonly excerpt: Excerpt }): ReactNode {
  const { t } = useTranslation();
  const { field, text, highlights, file } = excerpt;
  const isNamed = field === 'recipient' || field === 'filename' || field === 'file';
  const what = file ? placeText(t, file) : isNamed ? t(`search.fields.${field}`) : '';
  return (
    <Wrapping size="sm" c="dimmed">
      {what !== '' && (
        <Text span size="sm" fw={500}>
          {t('common.named', { what, name: '' })}
        </Text>
      )}
      <Marked text={text} highlights={highlights} />
    </Wrapping>
  );
}

/** `contract.pdf, page 3`. */
function placeText(t: TFunction, { filename, member, kind, name }: Schemas['FilePlaceResponse']): string {
  const file = member ?? filename;
  return kind === null || name === null ? file : t(`search.filePlaces.${kind}`, { file, name });
}

interface MessageLinkProps extends Omit<ComponentProps<'a'>, 'ref'> {
  readonly message: FoundMessage;
  readonly q: string;
  readonly place: 'all' | 'mailbox' | 'archive';
}

/** The archive shows a message without asking its provider; the mailbox shows what is only there. */
function MessageLink({ message, q, place, ...root }: MessageLinkProps): ReactNode {
  const { account_id: accountId, mail_id: mailId, message_id: messageId } = message;
  return mailId === null || place === 'mailbox' ? (
    <Link to="/a/$accountId/mailbox" params={{ accountId }} search={{ q, message: messageId }} {...root} />
  ) : (
    <Link to="/a/$accountId/archive" params={{ accountId }} search={{ q, mail: mailId }} {...root} />
  );
}

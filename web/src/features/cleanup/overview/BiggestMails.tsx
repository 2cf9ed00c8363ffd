import type { Schemas } from '@mailroom/sdk';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes, formatShortDate } from '../../../i18n/format';
import { MailboxRow } from '../../../shared/mailbox-links/MailboxRow';
import { PlainList } from '../../../ui/PlainList';
import { Section } from '../../../ui/Section';
import { senderName } from '../../../ui/sender';

const SHOWN = 10;

/** The messages that take most of the space; each leads to itself, among those that are as large. */
export function BiggestMails({
  accountId,
  mails,
}: {
  readonly accountId: string;
  readonly mails: readonly Schemas['BigMailResponse'][];
}): ReactNode {
  const { t } = useTranslation();
  return (
    <Section title={t('overviewDetails.biggest')}>
      <PlainList gap="xs" component="ol">
        {mails.slice(0, SHOWN).map(({ id, subject, from, date, sizeEstimate }) => (
          <MailboxRow
            key={id}
            accountId={accountId}
            q={largerSearch(sizeEstimate)}
            message={id}
            title={subject || t('mail.noSubject')}
            size={formatBytes(sizeEstimate)}
            facts={[senderName(from), formatShortDate(date)]}
          />
        ))}
      </PlainList>
    </Section>
  );
}

const KB = 1024;

/** A search for messages that are at least about as large. */
const largerSearch = (bytes: number): string => `larger:${Math.max(1, Math.floor(bytes / KB) - 1)}K`;

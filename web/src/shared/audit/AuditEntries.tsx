import { Badge, Box, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/me';
import { dateFormat, formatFullDate, formatNumber } from '../../i18n/format';
import { PlainList } from '../../ui/PlainList';
import { Wrapping } from '../../ui/Wrapping';
import { auditSentence, type AuditEntry, type AuditReader } from './audit-sentence';
import { factTexts, failureText } from './audit-text';

/** Entries of the audit log: who did what to what, from where and when. The rest is behind “Details”. */
export function AuditEntries({ entries }: { readonly entries: readonly AuditEntry[] }): ReactNode {
  const { t } = useTranslation();
  const { user, mailboxAccounts } = useMe();
  const reader = {
    userId: user.id,
    mailboxName: (accountId: string) => mailboxAccounts.find(({ id }) => id === accountId)?.email,
  };
  return (
    <PlainList gap="md" aria-label={t('audit.title')}>
      {entries.map((entry) => (
        <li key={entry.id}>
          <Entry entry={entry} reader={reader} />
        </li>
      ))}
    </PlainList>
  );
}

interface EntryProps {
  readonly entry: AuditEntry;
  readonly reader: AuditReader;
}

function Entry({ entry, reader }: EntryProps): ReactNode {
  const { t } = useTranslation();
  const { action, outcome, address, details, mailbox_account_id: accountId } = entry;
  const sentence = auditSentence(entry, reader) ?? action;
  const mailbox = accountId === null ? undefined : reader.mailboxName(accountId);
  const place = [
    ...(mailbox === undefined || sentence.includes(mailbox) ? [] : [mailbox]),
    ...(address === null ? [] : [t('audit.from', { address })]),
  ];
  const why = outcome === 'failure' ? failureText(details) : null;
  return (
    <>
      <Group gap="xs" wrap="nowrap" align="start">
        <Wrapping size="sm">{sentence}</Wrapping>
        {outcome === 'failure' && (
          <Badge variant="outline" color="red" tt="none" c="var(--mantine-color-text)" flex="none">
            {t('audit.failure')}
          </Badge>
        )}
      </Group>
      {why !== null && <Wrapping size="sm">{why}</Wrapping>}
      <Wrapping size="xs" c="dimmed">
        <time dateTime={entry.occurred_at} title={formatFullDate(entry.occurred_at)}>
          {dateFormat({ dateStyle: 'medium', timeStyle: 'short' }).format(new Date(entry.occurred_at))}
        </time>
        {place.map((one) => ` · ${one}`).join('')}
      </Wrapping>
      <details>
        <Text
          component="summary"
          size="xs"
          c="dimmed"
          w="fit-content"
          aria-label={t('common.named', { what: t('audit.showDetails'), name: sentence })}
        >
          {t('audit.showDetails')}
        </Text>
        <Box component="ul" m={0} ps="1.2em">
          {[...factTexts(details), ...useRawFacts(entry)].map((text) => (
            <Wrapping key={text} component="li" size="xs">
              {text}
            </Wrapping>
          ))}
        </Box>
      </details>
    </>
  );
}

/** The fields of an entry as programs know them. */
function useRawFacts(entry: AuditEntry): string[] {
  const { t } = useTranslation();
  const { target_type: type, target_id: id, sequence } = entry;
  const values = {
    action: entry.action,
    time: entry.occurred_at,
    actor: entry.actor_email ?? entry.actor_id,
    user: entry.user_email ?? entry.user_id,
    account: entry.mailbox_account_id,
    job: entry.job_id,
    key: entry.api_key_id,
    request: entry.request_id,
    position: sequence === undefined ? null : formatNumber(sequence),
    hash: entry.hash ?? null,
  };
  const named = Object.entries(values) as [keyof typeof values, string | null][];
  return [
    ...named.flatMap(([name, value]) => (value === null ? [] : [t(`audit.raw.${name}`, { value })])),
    ...(type === null || id === null ? [] : [t('audit.raw.target', { type, id })]),
  ];
}

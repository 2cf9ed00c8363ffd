import { Stack } from '@mantine/core';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes, formatFullDate } from '../../../i18n/format';
import { HeaderTable, MailHeaders } from '../../../ui/reading/HeaderTable';
import { distantArrival } from './archive-dates';
import { useRawMail } from './raw-mail';
import type { OfMail } from './of-mail';
import { UnlockedView } from './UnlockedView';

/** Facts that the archive has about a mail, and its headers. */
export function HeaderLines({ accountId, mail }: OfMail): ReactNode {
  const { t } = useTranslation();
  const unlocked = useRawMail({ accountId, mail });
  const arrival = distantArrival(mail);
  const dates =
    arrival === null
      ? []
      : ([
          [t('archive.facts.date'), formatFullDate(mail.date)],
          [t('archive.facts.arrived'), formatFullDate(arrival)],
        ] as const);
  const facts = [
    ...dates,
    [t('archive.facts.archived'), formatFullDate(mail.archived_at)],
    [t('archive.facts.size'), formatBytes(mail.size_bytes)],
    [t('archive.facts.sha256'), mail.sha256],
    ...rebuiltFacts(mail.rebuilt_from, t),
    ...mail.defects.map((defect) => [t('archive.facts.defect'), defect] as const),
  ] as const;
  return (
    <Stack>
      <HeaderTable label={t('archive.facts.title')} lines={facts.map(([name, value]) => ({ name, value }))} />
      <UnlockedView unlocked={unlocked}>{({ text }) => <MailHeaders text={text} />}</UnlockedView>
    </Stack>
  );
}

/** Facts about the Outlook file that a mail was rebuilt from. */
function rebuiltFacts(from: OfMail['mail']['rebuilt_from'], t: TFunction): (readonly [string, string])[] {
  if (!from) return [];
  const item = from.item_id === null ? [] : [[t('archive.facts.rebuiltItem'), from.item_id] as const];
  return [[t('archive.facts.rebuiltFrom'), from.source_sha256], ...item];
}

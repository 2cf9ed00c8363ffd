import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../ui/EmptyState';
import { MonthsChart } from '../MonthsChart';
import { QueryView } from '../../../ui/QueryView';
import { Section } from '../../../ui/Section';
import { useMailboxStats } from './mailbox-stats';

/** Number of messages of each month, from the first to the current one. */
export function Months({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const title = t('insights.months');
  return (
    <Section title={title}>
      <QueryView
        query={useMailboxStats(accountId)}
        empty={{
          when: ({ timeline }) => timeline.length === 0,
          show: <EmptyState text={t('insights.noMail')} />,
        }}
      >
        {({ timeline }) => <MonthsChart accountId={accountId} title={title} months={timeline} />}
      </QueryView>
    </Section>
  );
}

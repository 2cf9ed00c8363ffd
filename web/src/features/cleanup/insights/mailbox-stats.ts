import type { Schemas } from '@mailroom/sdk';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { op } from '../../../api/op';
import { timeZone } from '../../../i18n/format';

/** Figures over everything that is known of a mailbox, its months where the person is; the overview has the same. */
export const useMailboxStats = (accountId: string): UseQueryResult<Schemas['MailboxStatsResponse']> =>
  useQuery(op('dashboard.getMailboxStats', { accountId, scope: 'all', tz: timeZone() }));

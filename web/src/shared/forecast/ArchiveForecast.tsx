import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { op } from '../../api/op';
import { TransferForecast } from './TransferForecast';

/** The effect of the provider's limits on archiving the rest of a mailbox; nothing until it is known. */
export function ArchiveForecast({ accountId }: { readonly accountId: string }): ReactNode {
  const forecast = useQuery(op('archive.getForecast', { accountId }));
  return forecast.data ? <TransferForecast forecast={forecast.data} /> : null;
}

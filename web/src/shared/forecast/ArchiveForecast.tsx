import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { op } from '../../api/op';
import { TransferForecast } from './TransferForecast';

/** Time between two questions about a mailbox that has just been connected and is being listed, in milliseconds. */
const LISTING_MS = 10_000;

interface ArchiveForecastProps {
  readonly accountId: string;
  /** The mailbox has just been connected: what is known of it grows. */
  readonly isNew?: boolean;
}

/** The effect of the provider's limits on archiving the rest of a mailbox; nothing until it is known. */
export function ArchiveForecast({ accountId, isNew = false }: ArchiveForecastProps): ReactNode {
  const forecast = useQuery({
    ...op('archive.getForecast', { accountId }),
    refetchInterval: ({ state }) => isNew && state.data?.provider != null && LISTING_MS,
  });
  return forecast.data ? <TransferForecast forecast={forecast.data} /> : null;
}

import { Alert, Stack, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes, formatDay } from '../../i18n/format';
import { Wrapping } from '../../ui/Wrapping';

type Forecast = Schemas['TransferForecastResponse'];

const MEGABYTE = 1_000_000;

interface TransferForecastProps {
  readonly forecast: Forecast;
  /** It is about an import from a server that is not connected. */
  readonly isImport?: boolean;
}

/** Whether the provider's limits have an effect that people should know before they start. */
export const hasEffect = ({ bytes, bytesPerDay, completesOn, cutFolders }: Forecast): boolean =>
  (completesOn !== null && bytes !== null && bytesPerDay !== null) || cutFolders.length > 0;

/** The effect of a provider's limits on reading a mailbox or a folder; nothing where there is none. */
export function TransferForecast({ forecast, isImport = false }: TransferForecastProps): ReactNode {
  const { t } = useTranslation();
  const { messages, bytes, approximate, bytesPerDay, jobBytesPerDay, completesOn, cutFolders } = forecast;
  const provider = forecast.provider ?? t('forecast.provider');
  const isSlow = completesOn !== null && bytes !== null && bytesPerDay !== null;
  if (!hasEffect(forecast)) return null;
  const mailboxText = approximate ? 'forecast.about' : 'forecast.exact';
  return (
    <Alert color="blue" role="note" mb="md">
      <Stack gap="xs">
        {isSlow && (
          <Text size="sm">
            {t(isImport ? 'forecast.import' : mailboxText, {
              provider,
              count: messages ?? 0,
              perDay: Math.round(bytesPerDay / MEGABYTE),
              used: Math.round((jobBytesPerDay ?? bytesPerDay) / MEGABYTE),
              size: formatBytes(bytes),
              day: formatDay(completesOn),
            })}
          </Text>
        )}
        {cutFolders.length > 0 && (
          <Wrapping size="sm">
            {t('forecast.cut', {
              count: cutFolders.length,
              provider,
              most: Math.max(...cutFolders.map(({ messages }) => messages)),
              folders: cutFolders.map(({ path }) => path).join(', '),
            })}
          </Wrapping>
        )}
      </Stack>
    </Alert>
  );
}

import { Alert, Stack, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes, formatDay } from '../../i18n/format';
import { Wrapping } from '../../ui/Wrapping';

type Forecast = Schemas['TransferForecastResponse'];

const MEGABYTE = 1_000_000;

/** The effect of a provider's limits on reading a whole mailbox; nothing where there is none. */
export function TransferForecast({ forecast }: { readonly forecast: Forecast }): ReactNode {
  const { t } = useTranslation();
  const { bytes, approximate, bytesPerDay, jobBytesPerDay, completesOn, cutFolders } = forecast;
  const provider = forecast.provider ?? t('forecast.provider');
  const isSlow = completesOn !== null && bytes !== null && bytesPerDay !== null;
  if (!isSlow && cutFolders.length === 0) return null;
  return (
    <Alert color="blue" role="note" mb="md">
      <Stack gap="xs">
        {isSlow && (
          <Text size="sm">
            {t(approximate ? 'forecast.about' : 'forecast.exact', {
              provider,
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

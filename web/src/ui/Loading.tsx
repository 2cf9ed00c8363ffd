import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Delayed } from './Delayed';

/** In place of what is being loaded: as many lines as there will be, about. */
export function Loading({ lines = 4 }: { readonly lines?: number }): ReactNode {
  const { t } = useTranslation();
  return (
    <Delayed>
      <Stack gap="sm" role="status" aria-busy>
        <VisuallyHidden>{t('common.loading')}</VisuallyHidden>
        {Array.from({ length: lines }, (_, line) => (
          <Skeleton key={line} height={18} width={line % 3 === 2 ? '60%' : '100%'} />
        ))}
      </Stack>
    </Delayed>
  );
}

import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../ui/EmptyState';

export function NotFoundPage(): ReactNode {
  const { t } = useTranslation();
  return (
    <main>
      <EmptyState text={t('common.notFound')}>
        <Anchor component={Link} to="/">
          {t('common.notFoundBack')}
        </Anchor>
      </EmptyState>
    </main>
  );
}

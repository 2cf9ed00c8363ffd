import { Group, Pagination } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface PagesProps {
  /** Entries in all. */
  readonly total: number;
  readonly perPage: number;
  /** From 1. */
  readonly page: number;
  readonly onChange: (page: number) => void;
}

/** Numbered pages of a list; nothing while one page holds it all. */
export function Pages({ total, perPage, page, onChange }: PagesProps): ReactNode {
  const { t } = useTranslation();
  const pages = Math.ceil(total / perPage);
  if (pages <= 1) return null;
  return (
    <Group component="nav" aria-label={t('common.pages')} justify="center">
      <Pagination
        total={pages}
        value={page}
        onChange={onChange}
        size="sm"
        getItemProps={(number) => ({ 'aria-label': t('common.page', { number }) })}
        getControlProps={(control) => ({
          'aria-label': t(
            control === 'next' || control === 'last' ? 'common.nextPage' : 'common.previousPage',
          ),
        })}
      />
    </Group>
  );
}

import { Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IndexProgress } from '../../../jobs/IndexProgress';
import { Page } from '../../../ui/Page';
import { Suggestions } from '../../../shared/suggestions/Suggestions';
import { LargeAttachments } from './LargeAttachments';
import { Senders } from './Senders';
import { CardGrid } from '../../../ui/Grids';

/** Use of space in a mailbox: each row has a link to its messages, where they are cleaned up. */
export function SpacePage(): ReactNode {
  const { t } = useTranslation();
  const { accountId } = useParams({ from: '/signed-in/a/$accountId/space' });
  return (
    <Page title={t('space.title')}>
      <Text c="dimmed">{t('space.intro')}</Text>
      <IndexProgress accountId={accountId} />
      <CardGrid cols={{ base: 1, lg: 2 }}>
        <Senders accountId={accountId} />
        <Stack>
          <Suggestions accountId={accountId} />
          <LargeAttachments accountId={accountId} />
        </Stack>
      </CardGrid>
    </Page>
  );
}

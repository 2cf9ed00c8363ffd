import { Anchor, Center, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** An address of which there is no page. */
export function NotFoundPage(): ReactNode {
  const { t } = useTranslation();
  useDocumentTitle(`${t('common.notFound')} · ${t('common.appName')}`);
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack align="center" gap="sm">
        <Text fw={700} c="dimmed">
          {t('common.appName')}
        </Text>
        <Title order={1} size="h3" ta="center">
          {t('common.notFound')}
        </Title>
        <Anchor component={Link} to="/">
          {t('common.notFoundBack')}
        </Anchor>
      </Stack>
    </Center>
  );
}

import { Anchor, Paper, SimpleGrid, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Searches with which the steps begin. */
const STEPS = [
  { step: 'clean', q: 'category:promotions older_than:1y' },
  { step: 'archive', q: 'has:attachment older_than:1y' },
  { step: 'read', q: 'in:inbox is:unread' },
] as const;

/** Suggested steps for a mailbox that was just connected. */
export function NextSteps({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <section aria-label={t('home.next')}>
      <Title order={2} size="h4" mb="sm">
        {t('home.next')}
      </Title>
      <SimpleGrid cols={{ base: 1, md: 3 }}>
        {STEPS.map(({ step, q }) => (
          <Paper key={step} withBorder p="md">
            <Anchor
              fw={600}
              renderRoot={(props) => (
                <Link to="/a/$accountId/mailbox" params={{ accountId }} search={{ q }} {...props} />
              )}
            >
              {t(`home.steps.${step}`)}
            </Anchor>
            <Text size="sm" c="dimmed" mt={4}>
              {t(`home.steps.${step}Text`)}
            </Text>
          </Paper>
        ))}
      </SimpleGrid>
    </section>
  );
}

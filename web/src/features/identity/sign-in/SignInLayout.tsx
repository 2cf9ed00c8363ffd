import { Alert, Anchor, Center, Paper, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '@mailroom/sdk';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { QueryView } from '../../../ui/QueryView';
import { LanguageChoice } from './LanguageChoice';

type Config = Schemas['AuthConfigResponse'];

interface SignInLayoutProps {
  readonly title: string;
  readonly children: (config: Config) => ReactNode;
}

/** The frame of the pages before sign-in. At a wrong address it says so, before anything is refused. */
export function SignInLayout({ title, children }: SignInLayoutProps): ReactNode {
  const { t } = useTranslation();
  const config = useQuery(op('auth.config'));
  useDocumentTitle(`${title} · ${t('common.appName')}`);
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" w="100%" maw={420}>
        <Stack>
          <Text fw={700} c="dimmed">
            {t('common.appName')}
          </Text>
          <Title order={1} size="h2">
            {title}
          </Title>
          <QueryView query={config}>
            {(read) => (isExpectedAddress(read) ? children(read) : <WrongAddress appUrl={read.appUrl} />)}
          </QueryView>
          <LanguageChoice />
        </Stack>
      </Paper>
    </Center>
  );
}

const isExpectedAddress = ({ appUrl }: Config): boolean => new URL(appUrl).origin === window.location.origin;

function WrongAddress({ appUrl }: { readonly appUrl: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <Alert color="orange" title={t('signIn.wrongAddressTitle')}>
      <Stack gap="xs">
        <Text size="sm">{t('signIn.wrongAddress')}</Text>
        <Anchor href={appUrl}>{t('signIn.openAt', { url: appUrl })}</Anchor>
      </Stack>
    </Alert>
  );
}

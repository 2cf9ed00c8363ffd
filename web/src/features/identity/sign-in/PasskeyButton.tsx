import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PasskeyNotMade, signInWithPasskey } from '../../../api/passkeys';
import { ProblemView } from '../../../ui/ProblemView';

/** Signs in with a passkey, without an address or a password. */
export function PasskeyButton({ next }: { readonly next: string | undefined }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const router = useRouter();
  const signIn = useMutation({
    mutationFn: async () => {
      await signInWithPasskey(client);
      router.history.push(next ?? '/');
    },
  });
  return (
    <Stack gap="xs">
      <Button variant="default" loading={signIn.isPending} onClick={() => signIn.mutate()}>
        {t('signIn.passkey')}
      </Button>
      {signIn.error instanceof PasskeyNotMade ? (
        <Text size="sm" role="alert">
          {t('signIn.passkeyCancelled')}
        </Text>
      ) : (
        signIn.error && <ProblemView error={signIn.error} />
      )}
    </Stack>
  );
}

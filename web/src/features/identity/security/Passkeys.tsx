import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { hasPasskeys } from '../../../api/passkeys';
import { PlainList } from '../../../ui/PlainList';
import { QueryView } from '../../../ui/QueryView';
import { PasskeyForm } from './PasskeyForm';
import { PasskeyItem } from './PasskeyItem';

/** Passkeys of the person, and a way to add one. */
export function Passkeys({ needsCode }: { readonly needsCode: boolean }): ReactNode {
  const { t } = useTranslation();
  const passkeys = useQuery(op('passkeys.list'));
  const [isAdding, setIsAdding] = useState(false);
  return (
    <QueryView query={passkeys}>
      {(all) => (
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {t('security.passkeys.text')}
          </Text>
          {all.length > 0 && (
            <PlainList gap="xs" aria-label={t('security.passkeys.title')}>
              {all.map((passkey) => (
                <PasskeyItem key={passkey.id} passkey={passkey} />
              ))}
            </PlainList>
          )}
          {!hasPasskeys() && <Text size="sm">{t('security.passkeys.unsupported')}</Text>}
          {hasPasskeys() && isAdding && (
            <PasskeyForm needsCode={needsCode} onDone={() => setIsAdding(false)} />
          )}
          {hasPasskeys() && !isAdding && (
            <Group>
              <Button variant={all.length > 0 ? 'default' : 'filled'} onClick={() => setIsAdding(true)}>
                {t('security.passkeys.add')}
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </QueryView>
  );
}

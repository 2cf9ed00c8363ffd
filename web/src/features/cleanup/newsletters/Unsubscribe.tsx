import { Anchor, Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Newsletter } from './newsletter';

/** Shows where the sender wants people to unsubscribe before it is opened: the address is the sender's. */
export function Unsubscribe({ newsletter }: { readonly newsletter: Newsletter }): ReactNode {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const { email, unsubscribeUrl, unsubscribeMailto } = newsletter;
  const ways = [
    ...(unsubscribeUrl === null ? [] : [{ kind: 'page', address: unsubscribeUrl } as const]),
    ...(unsubscribeMailto === null ? [] : [{ kind: 'mail', address: unsubscribeMailto } as const]),
  ];
  if (ways.length === 0) return null;
  const close = (): void => setOpened(false);
  return (
    <>
      <Button
        size="xs"
        aria-label={t('common.named', { what: t('newsletters.unsubscribe'), name: email })}
        onClick={() => setOpened(true)}
      >
        {t('newsletters.unsubscribe')}
      </Button>
      <Modal opened={opened} onClose={close} title={t('newsletters.unsubscribeTitle', { sender: email })}>
        <Stack>
          <Text size="sm">{t('newsletters.unsubscribeText')}</Text>
          {ways.map(({ kind, address }) => (
            <Stack key={kind} gap={4}>
              <Code block>{address}</Code>
              <Anchor href={address} target="_blank" rel="noopener noreferrer" onClick={close}>
                {t(`newsletters.by.${kind}`)}
              </Anchor>
            </Stack>
          ))}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('common.cancel')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

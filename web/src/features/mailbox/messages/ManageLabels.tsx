import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { ProblemView } from '../../../ui/ProblemView';
import { PlainList } from '../../../ui/PlainList';
import { Wrapping } from '../../../ui/Wrapping';
import { NewLabel } from './NewLabel';

type Label = Schemas['LabelResponse'];

const CHANGED = ['mailbox.listLabels', 'mailbox.listMessages', 'mailbox.getMessages'] as const;

interface ManageLabelsProps {
  readonly accountId: string;
  readonly labels: readonly Label[];
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** The person's own labels of the mailbox: new ones, and those that go. Messages stay. */
export function ManageLabels({ accountId, labels, opened, onClose }: ManageLabelsProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [asked, setAsked] = useState<Label | null>(null);
  const remove = useOperation('mailbox.deleteLabel');
  const changed = (): void => void invalidate(client, CHANGED);
  const close = (): void => {
    setAsked(null);
    remove.reset();
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={asked ? t('mailbox.labels.deleteTitle', { name: asked.name }) : t('mailbox.labels.manage')}
    >
      {asked ? (
        <Stack>
          <Text size="sm">{t('mailbox.labels.deleteText')}</Text>
          {remove.error && <ProblemView error={remove.error} />}
          <Group justify="flex-end">
            <Button variant="default" data-autofocus onClick={() => setAsked(null)}>
              {t('common.cancel')}
            </Button>
            <Button
              color="red"
              loading={remove.isPending}
              onClick={() =>
                remove.mutate(
                  { accountId, labelId: asked.id },
                  {
                    onSuccess: () => {
                      setAsked(null);
                      changed();
                    },
                  },
                )
              }
            >
              {t('mailbox.labels.delete')}
            </Button>
          </Group>
        </Stack>
      ) : (
        <Stack>
          <NewLabel accountId={accountId} />
          {labels.length > 0 && (
            <PlainList gap={4} aria-label={t('mailbox.labels.all')}>
              {labels.map((label) => (
                <li key={label.id}>
                  <Group justify="space-between" wrap="nowrap">
                    <Wrapping size="sm">{label.name}</Wrapping>
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={t('common.named', { what: t('mailbox.labels.delete'), name: label.name })}
                      onClick={() => setAsked(label)}
                    >
                      {t('mailbox.labels.delete')}
                    </Button>
                  </Group>
                </li>
              ))}
            </PlainList>
          )}
        </Stack>
      )}
    </Modal>
  );
}

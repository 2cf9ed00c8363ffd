import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { ProblemView } from '../../../ui/ProblemView';
import { PlainList } from '../../../ui/PlainList';
import { Wrapping } from '../../../ui/Wrapping';

type Label = Schemas['LabelResponse'];

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
  const [name, setName] = useState('');
  const [asked, setAsked] = useState<Label | null>(null);
  const create = useOperation('mailbox.createLabel');
  const remove = useOperation('mailbox.deleteLabel');
  const changed = (): void =>
    void invalidate(client, ['mailbox.listLabels', 'mailbox.listMessages', 'mailbox.getMessages']);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate(
      { accountId, body: { name: name.trim() } },
      {
        onSuccess: () => {
          setName('');
          changed();
        },
      },
    );
  };
  const close = (): void => {
    setAsked(null);
    create.reset();
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
          <form onSubmit={submit}>
            <Group align="end">
              <TextInput
                label={t('mailbox.labels.name')}
                maxLength={225}
                required
                value={name}
                data-autofocus
                flex={1}
                onChange={(event) => setName(event.currentTarget.value)}
              />
              <Button type="submit" loading={create.isPending} disabled={name.trim() === ''}>
                {t('mailbox.labels.create')}
              </Button>
            </Group>
          </form>
          {create.error && <ProblemView error={create.error} />}
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

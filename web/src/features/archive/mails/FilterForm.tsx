import { Button, Group, NumberInput, Popover, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageForm } from '../../../ui/use-service-form';
import type { ArchiveConditions } from './archive-filter';

const MIB = 1024 * 1024;

interface FilterFormProps {
  readonly conditions: ArchiveConditions;
  readonly onChange: (changes: ArchiveConditions) => void;
}

/** A button that opens all conditions of a search. */
export function FilterForm({ conditions, onChange }: FilterFormProps): ReactNode {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus width={320} position="bottom-start" shadow="md">
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconFilter size={14} aria-hidden />}
          onClick={() => setOpened((before) => !before)}
        >
          {t('archive.filter')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('archive.filters')}>
        <Fields
          conditions={conditions}
          onChange={(changes) => {
            setOpened(false);
            onChange(changes);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

type Choice = '' | 'yes' | 'no';

const choiceOf = (value: boolean | undefined): Choice => (value === undefined ? '' : value ? 'yes' : 'no');
const valueOf = (choice: Choice): boolean | undefined => (choice === '' ? undefined : choice === 'yes');
const bytesOf = (mib: number | string): number | undefined =>
  typeof mib === 'number' ? Math.round(mib * MIB) : undefined;
const mibOf = (bytes: number | undefined): number | string => (bytes === undefined ? '' : bytes / MIB);

function Fields({ conditions, onChange }: FilterFormProps): ReactNode {
  const { t } = useTranslation();
  const form = usePageForm({
    sender: conditions.sender ?? '',
    recipient: conditions.recipient ?? '',
    after: conditions.after ?? '',
    before: conditions.before ?? '',
    min: mibOf(conditions.min),
    max: mibOf(conditions.max),
    files: choiceOf(conditions.files),
    encrypted: choiceOf(conditions.encrypted),
    only: choiceOf(conditions.only),
  });
  const send = ({ sender, recipient, after, before, min, max, ...choices }: typeof form.values): void =>
    onChange({
      sender: sender.trim() || undefined,
      recipient: recipient.trim() || undefined,
      after: after || undefined,
      before: before || undefined,
      min: bytesOf(min),
      max: bytesOf(max),
      files: valueOf(choices.files),
      encrypted: valueOf(choices.encrypted),
      only: valueOf(choices.only),
    });
  return (
    <form onSubmit={form.onSubmit(send)}>
      <Stack gap="xs">
        <TextInput label={t('archive.sender')} data-autofocus {...form.getInputProps('sender')} />
        <TextInput label={t('archive.recipient')} {...form.getInputProps('recipient')} />
        <Group grow>
          <TextInput type="date" label={t('archive.after')} {...form.getInputProps('after')} />
          <TextInput type="date" label={t('archive.before')} {...form.getInputProps('before')} />
        </Group>
        <Group grow>
          <NumberInput label={t('archive.min')} min={0} hideControls {...form.getInputProps('min')} />
          <NumberInput label={t('archive.max')} min={0} hideControls {...form.getInputProps('max')} />
        </Group>
        <YesOrNo label={t('archive.files')} {...form.getInputProps('files')} />
        <YesOrNo label={t('archive.encryption')} {...form.getInputProps('encrypted')} />
        <YesOrNo label={t('archive.onlyHere')} {...form.getInputProps('only')} />
        <Group justify="flex-end">
          <Button type="submit" size="xs">
            {t('archive.apply')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface YesOrNoProps {
  readonly label: string;
  readonly value?: Choice;
  readonly onChange?: (value: string) => void;
}

function YesOrNo({ label, value, onChange }: YesOrNoProps): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div>
      <Text size="sm" fw={500} id={id}>
        {label}
      </Text>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-labelledby={id}
        value={value ?? ''}
        onChange={onChange}
        data={[
          { value: '', label: t('archive.any') },
          { value: 'yes', label: t('archive.yes') },
          { value: 'no', label: t('archive.no') },
        ]}
      />
    </div>
  );
}

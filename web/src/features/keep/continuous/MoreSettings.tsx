import { Button, Collapse, Group, NumberInput, Stack, Switch, TagsInput, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ArchivingFields } from './archiving-values';

const FIELDS = ['largerThan', 'youngerThan', 'senders', 'followLabels', 'notifyAfterHours'] as const;

/** Settings that few people change. They open by themselves when one of them is wrong. */
export function MoreSettings({ form }: { readonly form: ArchivingFields }): ReactNode {
  const { t } = useTranslation();
  const [isOpened, setIsOpened] = useState(false);
  const isWrong = FIELDS.some((name) => Boolean(form.getInputProps(name).error));
  const showsMore = isOpened || isWrong;
  const { others } = form.getValues();
  return (
    <>
      <Group>
        <Button variant="subtle" size="xs" aria-expanded={showsMore} onClick={() => setIsOpened(!isOpened)}>
          {showsMore ? t('keep.less') : t('keep.more')}
        </Button>
      </Group>
      <Collapse expanded={showsMore}>
        <Stack>
          <Group grow align="start">
            <NumberInput
              label={t('keep.largerThan')}
              description={t('keep.largerThanText')}
              min={0}
              hideControls
              {...form.getInputProps('largerThan')}
            />
            <NumberInput
              label={t('keep.youngerThan')}
              description={t('keep.youngerThanText')}
              min={0}
              allowDecimal={false}
              hideControls
              {...form.getInputProps('youngerThan')}
            />
          </Group>
          <TagsInput
            label={t('keep.senders')}
            description={t('keep.sendersText')}
            clearButtonProps={{ 'aria-label': t('keep.sendersClear') }}
            {...form.getInputProps('senders')}
          />
          {others.length > 0 && (
            <Text size="xs" c="dimmed">
              {t('keep.others', { exclusions: others.join(', ') })}
            </Text>
          )}
          <Switch
            label={t('keep.followLabels')}
            description={t('keep.followLabelsText')}
            {...form.getInputProps('followLabels', { type: 'checkbox' })}
          />
          <NumberInput
            label={t('keep.notifyAfter')}
            description={t('keep.notifyAfterText')}
            min={1}
            max={168}
            allowDecimal={false}
            hideControls
            maw={320}
            {...form.getInputProps('notifyAfterHours')}
          />
        </Stack>
      </Collapse>
    </>
  );
}

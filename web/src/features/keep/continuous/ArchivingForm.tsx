import {
  Button,
  Checkbox,
  Collapse,
  Group,
  NumberInput,
  Radio,
  Stack,
  Switch,
  TagsInput,
  Text,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { ProblemView } from '../../../ui/ProblemView';
import { useErrorsInLanguage } from '../../../ui/use-errors-in-language';
import type { Archiving } from './ArchivingHealth';
import { exclusionsOf, fieldsOf, isSender } from './exclusions';

interface ArchivingFormProps {
  readonly accountId: string;
  readonly archiving: Archiving;
}

const MODES = ['off', 'watch', 'keep'] as const;

const valuesOf = ({ mode, paused, exclusions, followLabels, notifyAfterHours }: Archiving) => ({
  mode,
  paused,
  followLabels,
  notifyAfterHours: notifyAfterHours ?? ('' as number | string),
  ...fieldsOf(exclusions),
});

/** The switch of continuous archiving, with what is left out. Nothing changes before it is saved. */
export function ArchivingForm(props: ArchivingFormProps): ReactNode {
  // Other settings than those that were filled in: the form begins afresh.
  return <Fields key={JSON.stringify(valuesOf(props.archiving))} {...props} />;
}

function Fields({ accountId, archiving }: ArchivingFormProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const update = useOperation('archiving.update');
  const [showsMore, setShowsMore] = useState(false);
  const form = useForm({
    initialValues: valuesOf(archiving),
    validate: {
      senders: (senders) => (senders.every(isSender) ? null : t('keep.senderWrong')),
    },
  });
  useErrorsInLanguage(form);
  const save = (values: typeof form.values): void => {
    const { mode, paused, followLabels, notifyAfterHours, ...exclusions } = values;
    update.mutate(
      {
        accountId,
        body: {
          mode,
          paused,
          followLabels,
          notifyAfterHours: typeof notifyAfterHours === 'number' ? notifyAfterHours : null,
          exclusions: exclusionsOf(exclusions),
        },
      },
      {
        onSuccess: () => void invalidate(client, ['archiving.get', 'coverage.get', 'coverage.listMessages']),
      },
    );
  };
  return (
    <form onSubmit={form.onSubmit(save)}>
      <Stack>
        <Radio.Group label={t('keep.mode')} {...form.getInputProps('mode')}>
          <Stack gap="xs" mt="xs">
            {MODES.map((mode) => (
              <Radio
                key={mode}
                value={mode}
                label={t(`keep.modes.${mode}`)}
                description={t(`keep.modeTexts.${mode}`)}
              />
            ))}
          </Stack>
        </Radio.Group>
        {form.values.mode !== 'off' && (
          <>
            <Switch
              label={t('keep.pause')}
              description={t('keep.pauseText')}
              {...form.getInputProps('paused', { type: 'checkbox' })}
            />
            <fieldset style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
              <Text component="legend" size="sm" fw={500} mb={4}>
                {t('keep.exclusions')}
              </Text>
              <Text size="xs" c="dimmed" mb="xs">
                {t('keep.exclusionsText')}
              </Text>
              <Group>
                {(['spam', 'trash', 'drafts'] as const).map((place) => (
                  <Checkbox
                    key={place}
                    label={t(`keep.${place}`)}
                    {...form.getInputProps(place, { type: 'checkbox' })}
                  />
                ))}
              </Group>
            </fieldset>
            <Button
              variant="subtle"
              size="xs"
              style={{ alignSelf: 'start' }}
              aria-expanded={showsMore}
              onClick={() => setShowsMore(!showsMore)}
            >
              {showsMore ? t('keep.less') : t('keep.more')}
            </Button>
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
                {form.values.others.length > 0 && (
                  <Text size="xs" c="dimmed">
                    {t('keep.others', { exclusions: form.values.others.join(', ') })}
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
        )}
        {update.error && <ProblemView error={update.error} />}
        <Group>
          <Button type="submit" loading={update.isPending} disabled={!form.isDirty()}>
            {t('keep.save')}
          </Button>
          {form.isDirty() && (
            <Button variant="default" onClick={() => form.reset()}>
              {t('common.cancel')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

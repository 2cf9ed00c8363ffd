import { Button, Group, Radio, Stack, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import { ProblemView } from '../../../ui/ProblemView';
import { useServiceForm } from '../../../ui/use-service-form';
import { bodyOf, valuesOf } from './archiving-values';
import type { Archiving } from './ArchivingHealth';
import { isSender } from './exclusions';
import { LeftOut } from './LeftOut';
import { MoreSettings } from './MoreSettings';

interface ArchivingFormProps {
  readonly accountId: string;
  readonly archiving: Archiving;
}

const MODES = ['off', 'watch', 'keep'] as const;

/** The switch of continuous archiving, with what is left out. Nothing changes before it is saved. */
export function ArchivingForm(props: ArchivingFormProps): ReactNode {
  // Other settings than those that were filled in: the form begins afresh.
  return <Fields key={JSON.stringify(valuesOf(props.archiving))} {...props} />;
}

function Fields({ accountId, archiving }: ArchivingFormProps): ReactNode {
  const { t } = useTranslation();
  const form = useServiceForm({
    initial: valuesOf(archiving),
    validate: { senders: (senders) => (senders.every(isSender) ? null : t('keep.senderWrong')) },
    send: (values) => call('archiving.update', { accountId, body: bodyOf(values) }),
    outdated: ['archiving.get', 'coverage.get', 'coverage.listMessages'],
    success: t('keep.saved'),
  });
  return (
    <form onSubmit={form.submit}>
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
        {form.getValues().mode !== 'off' && (
          <>
            <Switch
              label={t('keep.pause')}
              description={t('keep.pauseText')}
              {...form.getInputProps('paused', { type: 'checkbox' })}
            />
            <LeftOut form={form} />
            <MoreSettings form={form} />
          </>
        )}
        {form.unsaid && <ProblemView error={form.unsaid} />}
        <Group>
          <Button type="submit" loading={form.isSending} disabled={!form.isDirty()}>
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

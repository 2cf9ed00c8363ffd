import { Alert, Button, Group, NumberInput, Stack, Switch, Text, TextInput } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import { op } from '../../../api/op';
import { isNotThere } from '../../../api/problems';
import { ProblemView } from '../../../ui/ProblemView';
import { QueryView } from '../../../ui/QueryView';
import { Section } from '../../../ui/Section';
import { useServiceForm } from '../../../ui/use-service-form';
import { TrashNote } from '../../../shared/trash/TrashNote';

type Schedule = Pick<Schemas['OffloadScheduleResponse'], 'select' | 'graceDays' | 'maxPerNight' | 'isActive'>;

const NONE: Schedule = { select: {}, graceDays: 365, maxPerNight: 1_000, isActive: false };
const SHORTEST_GRACE_DAYS = 7;
const MOST_PER_NIGHT = 10_000;

/** Moving out every night what has become old. */
export function OffloadSchedule({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const [isShown, setIsShown] = useState(false);
  const [saved, setSaved] = useState<'on' | 'off' | null>(null);
  // The form is a new one when what was saved has been read.
  const onSaved = (isActive: boolean): void => setSaved(isActive ? 'on' : 'off');
  const schedule = useQuery({ ...op('offload.getSchedule', { accountId }), enabled: isShown });
  return (
    <Section title={t('keep.offload.schedule')}>
      {!isShown ? (
        <Button variant="default" onClick={() => setIsShown(true)}>
          {t('keep.offload.scheduleShow')}
        </Button>
      ) : isNotThere(schedule.error) ? (
        <ScheduleForm accountId={accountId} schedule={NONE} onSaved={onSaved} />
      ) : (
        <QueryView query={schedule}>
          {(found) => (
            <ScheduleForm key={found.updatedAt} accountId={accountId} schedule={found} onSaved={onSaved} />
          )}
        </QueryView>
      )}
      {saved && (
        <Alert color="green" role="status" mt="sm">
          {t(saved === 'on' ? 'keep.offload.scheduleIsOn' : 'keep.offload.scheduleIsOff')}
        </Alert>
      )}
    </Section>
  );
}

/** Numbers are text while their fields are empty. */
type Values = {
  readonly query: string;
  readonly graceDays: number | string;
  readonly maxPerNight: number | string;
  readonly isActive: boolean;
};

const valuesOf = ({ select, graceDays, maxPerNight, isActive }: Schedule): Values => ({
  query: select.query ?? '',
  graceDays,
  maxPerNight,
  isActive,
});

interface ScheduleFormProps {
  readonly accountId: string;
  readonly schedule: Schedule;
  readonly onSaved: (isActive: boolean) => void;
}

function ScheduleForm({ accountId, schedule, onSaved }: ScheduleFormProps): ReactNode {
  const { t } = useTranslation();
  const form = useServiceForm({
    initial: valuesOf(schedule),
    send: ({ query, graceDays, maxPerNight, isActive }) =>
      call('offload.setSchedule', {
        accountId,
        body: {
          // Fields that other clients have set stay.
          select: { ...schedule.select, query: query.trim() },
          graceDays: Number(graceDays),
          maxPerNight: Number(maxPerNight),
          isActive,
        },
      }),
    fields: { 'select.query': 'query' },
    outdated: ['offload.getSchedule'],
    onSent: (_saved, { isActive }) => onSaved(isActive),
  });
  return (
    <form onSubmit={form.submit}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t('keep.offload.scheduleText')}
        </Text>
        <Switch
          label={t('keep.offload.scheduleOn')}
          {...form.getInputProps('isActive', { type: 'checkbox' })}
        />
        <TrashNote accountId={accountId} action={form.values.isActive ? 'trash' : null} />
        <TextInput
          label={t('keep.offload.query')}
          description={t('keep.offload.queryText')}
          maxLength={2_000}
          {...form.getInputProps('query')}
        />
        <Group grow align="end">
          <NumberInput
            label={t('keep.offload.graceDays')}
            min={SHORTEST_GRACE_DAYS}
            max={36_500}
            allowDecimal={false}
            required
            hideControls
            {...form.getInputProps('graceDays')}
          />
          <NumberInput
            label={t('keep.offload.maxPerNight')}
            min={1}
            max={MOST_PER_NIGHT}
            allowDecimal={false}
            required
            hideControls
            {...form.getInputProps('maxPerNight')}
          />
        </Group>
        {form.unsaid && <ProblemView error={form.unsaid} />}
        <Group>
          <Button type="submit" variant="default" loading={form.isSending}>
            {t('keep.offload.scheduleSave')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';

interface LabelSelectProps {
  readonly accountId: string;
  readonly value: string;
  readonly onChange: (labelId: string) => void;
}

/** The label of a rule, among the person's own. */
export function LabelSelect({ accountId, value, onChange }: LabelSelectProps): ReactNode {
  const { t } = useTranslation();
  const labels = useQuery(op('mailbox.listLabels', { accountId })).data ?? [];
  const own = labels.filter(({ type }) => type === 'user');
  return (
    <NativeSelect
      label={t('rules.label')}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[
        { value: '', label: own.length === 0 ? t('rules.noLabels') : t('rules.chooseLabel'), disabled: true },
        ...own.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}

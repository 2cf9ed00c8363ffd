import { Modal, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { EmptyState } from '../../../ui/EmptyState';
import { QueryView } from '../../../ui/QueryView';

interface LabelPickerProps {
  readonly accountId: string;
  readonly title: string;
  readonly onPicked: (labelId: string) => void;
  readonly onClose: () => void;
}

/** A choice among the user's labels, by typing a part of the name. */
export function LabelPicker({ accountId, title, onPicked, onClose }: LabelPickerProps): ReactNode {
  const { t } = useTranslation();
  const labels = useQuery({
    ...op('mailbox.listLabels', { accountId }),
    select: (all) => all.filter(({ type }) => type === 'user'),
  });
  return (
    <Modal opened onClose={onClose} title={title}>
      <QueryView
        query={labels}
        empty={{ when: (all) => all.length === 0, show: <EmptyState text={t('mailbox.noLabels')} /> }}
      >
        {(all) => (
          <Select
            data-autofocus
            label={t('mailbox.picker.field')}
            searchable
            selectFirstOptionOnChange
            nothingFoundMessage={t('mailbox.picker.none')}
            data={all.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(labelId) => {
              if (labelId === null) return;
              onPicked(labelId);
              onClose();
            }}
          />
        )}
      </QueryView>
    </Modal>
  );
}

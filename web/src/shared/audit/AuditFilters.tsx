import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AUDIT_GROUPS, type AuditFilter } from './audit-filter';

const OUTCOMES = ['success', 'failure'] as const;

interface AuditFiltersProps {
  readonly filter: AuditFilter;
  /** Mailboxes to choose from. */
  readonly mailboxes?: readonly { readonly id: string; readonly email: string }[];
  readonly onChange: (filter: AuditFilter) => void;
  /** Where the filtered entries are downloaded. */
  readonly exportAddress: string;
  /** Further fields. */
  readonly children?: ReactNode;
}

/** The filter of the audit log, and its export. */
export function AuditFilters({
  filter,
  mailboxes = [],
  onChange,
  exportAddress,
  children,
}: AuditFiltersProps): ReactNode {
  const { t } = useTranslation();
  const all = { value: '', label: t('audit.all') };
  const set = (change: Partial<Record<keyof AuditFilter, string | undefined>>): void =>
    onChange({ ...filter, ...change } as AuditFilter);
  return (
    <Group align="end" gap="sm">
      <NativeSelect
        label={t('audit.group')}
        value={filter.group ?? ''}
        onChange={(event) => set({ group: event.currentTarget.value || undefined })}
        data={[all, ...AUDIT_GROUPS.map((value) => ({ value, label: t(`audit.groups.${value}`) }))]}
      />
      {children}
      {mailboxes.length > 1 && (
        <NativeSelect
          label={t('audit.mailbox')}
          value={filter.accountId ?? ''}
          onChange={(event) => set({ accountId: event.currentTarget.value || undefined })}
          data={[all, ...mailboxes.map(({ id, email }) => ({ value: id, label: email }))]}
        />
      )}
      <NativeSelect
        label={t('audit.outcome')}
        value={filter.outcome ?? ''}
        onChange={(event) => set({ outcome: event.currentTarget.value || undefined })}
        data={[all, ...OUTCOMES.map((value) => ({ value, label: t(`audit.outcomes.${value}`) }))]}
      />
      <TextInput
        type="date"
        label={t('audit.since')}
        max={filter.until}
        value={filter.since ?? ''}
        onChange={(event) => set({ since: event.currentTarget.value || undefined })}
      />
      <TextInput
        type="date"
        label={t('audit.until')}
        min={filter.since}
        value={filter.until ?? ''}
        onChange={(event) => set({ until: event.currentTarget.value || undefined })}
      />
      <Button component="a" variant="default" href={exportAddress} download>
        {t('audit.export')}
      </Button>
    </Group>
  );
}

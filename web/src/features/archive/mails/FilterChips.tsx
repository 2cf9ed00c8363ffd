import { Pill } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes, formatDay, formatMonth } from '../../../i18n/format';
import type { ArchiveConditions } from './archive-filter';
import { PlainRow } from '../../../ui/PlainList';

interface FilterChipsProps {
  readonly conditions: ArchiveConditions;
  /** Displayed name of the chosen label. */
  readonly labelName: string | undefined;
  readonly onChange: (changes: ArchiveConditions) => void;
}

/** The conditions of a search beside its words; each can be taken away. */
export function FilterChips({ conditions, labelName, onChange }: FilterChipsProps): ReactNode {
  const { t } = useTranslation();
  const { sender, recipient, label, after, before, month, min, max, files, encrypted, only } = conditions;
  const chips: readonly (readonly [keyof ArchiveConditions, string | undefined])[] = [
    ['sender', sender && t('archive.chips.sender', { value: sender })],
    ['recipient', recipient && t('archive.chips.recipient', { value: recipient })],
    ['label', label && t('archive.chips.label', { value: labelName ?? label })],
    ['month', month && formatMonth(month)],
    ['after', after && t('archive.chips.after', { value: formatDay(after) })],
    ['before', before && t('archive.chips.before', { value: formatDay(before) })],
    ['min', min === undefined ? undefined : t('archive.chips.min', { value: formatBytes(min) })],
    ['max', max === undefined ? undefined : t('archive.chips.max', { value: formatBytes(max) })],
    ['files', files === undefined ? undefined : t(files ? 'archive.withFiles' : 'archive.withoutFiles')],
    [
      'encrypted',
      encrypted === undefined ? undefined : t(encrypted ? 'archive.encrypted' : 'archive.notEncrypted'),
    ],
    ['only', only === undefined ? undefined : t(only ? 'archive.onlyHere' : 'archive.notOnlyHere')],
  ];
  const set = chips.filter((chip): chip is readonly [keyof ArchiveConditions, string] => Boolean(chip[1]));
  if (set.length === 0) return null;
  return (
    <PlainRow gap="xs" aria-label={t('archive.filters')}>
      {set.map(([name, text]) => (
        <li key={name}>
          <Pill
            withRemoveButton
            size="md"
            onRemove={() => onChange({ [name]: undefined })}
            removeButtonProps={{
              'aria-label': t('archive.removeFilter', { name: text }),
              // Mantine keeps it from the Tab key, and hides it.
              tabIndex: 0,
              'aria-hidden': false,
            }}
          >
            {text}
          </Pill>
        </li>
      ))}
    </PlainRow>
  );
}

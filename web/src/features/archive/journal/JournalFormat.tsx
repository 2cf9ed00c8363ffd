import { NativeSelect } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

type Format = Schemas['JournalFormat'];

interface JournalFormatProps {
  readonly value: Format;
  readonly disabled: boolean;
  readonly onChange: (format: Format) => void;
}

const FORMATS = ['copies', 'exchange-reports'] as const satisfies readonly Format[];

/** The choice of what the mail server sends: copies, or journal reports of Exchange. */
export function JournalFormat({ value, disabled, onChange }: JournalFormatProps): ReactNode {
  const { t } = useTranslation();
  return (
    <NativeSelect
      label={t('journal.format')}
      description={t(`journal.formatTexts.${value}`)}
      inputWrapperOrder={['label', 'input', 'description']}
      maw="32rem"
      value={value}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.value as Format)}
      data={FORMATS.map((format) => ({ value: format, label: t(`journal.formats.${format}`) }))}
    />
  );
}

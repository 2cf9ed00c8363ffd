import { SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

const KINDS = ['html', 'text', 'headers', 'source'] as const;

/** The form in which a mail is read: with its looks, as text alone, its headers, or as it came. */
export type ReadingKind = (typeof KINDS)[number];

interface KindSwitchProps {
  readonly kind: ReadingKind;
  readonly onKind: (kind: ReadingKind) => void;
}

export function KindSwitch({ kind, onKind }: KindSwitchProps): ReactNode {
  const { t } = useTranslation();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('mailFacts.reading')}
      value={kind}
      onChange={onKind}
      data={KINDS.map((value) => ({ value, label: t(`mailFacts.kinds.${value}`) }))}
    />
  );
}

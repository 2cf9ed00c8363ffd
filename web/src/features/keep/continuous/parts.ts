import { useTranslation } from 'react-i18next';

/** The classes of messages, in the order of the bar. Each message is in one of them. */
export const PARTS = ['verified', 'archived', 'pending', 'excluded', 'failed'] as const;
export type Part = (typeof PARTS)[number];

/** @param isWatched nothing is copied: no message waits for that */
export function usePartName(isWatched: boolean): (part: Part) => string {
  const { t } = useTranslation();
  return (part) => (isWatched && part === 'pending' ? t('keep.watched.part') : t(`keep.parts.${part}`));
}

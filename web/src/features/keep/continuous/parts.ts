import { useTranslation } from 'react-i18next';
import type { Part } from '../../../shared/coverage/parts';

/** @param isWatched nothing is copied: no message waits for that */
export function usePartName(isWatched: boolean): (part: Part) => string {
  const { t } = useTranslation();
  return (part) => (isWatched && part === 'pending' ? t('keep.watched.part') : t(`keep.parts.${part}`));
}

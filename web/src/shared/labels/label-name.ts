import { hasText, i18next } from '../../i18n';
import type { labelNames } from '../../i18n/en/labelNames';

/** Displayed name of a label. Those of the mail provider have technical names. The texts of `labelNames` have to be loaded. */
export const shownLabel = ({ id, name }: { readonly id: string; readonly name: string }): string =>
  isOfProvider(id) ? i18next.t(`labelNames.${id}`) : name;

const isOfProvider = (id: string): id is keyof typeof labelNames => hasText(`labelNames.${id}`);

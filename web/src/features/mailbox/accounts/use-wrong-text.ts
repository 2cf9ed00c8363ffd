import { useTranslation } from 'react-i18next';
import { hasText } from '../../../i18n';
import type { mailboxes } from '../../../i18n/en/mailboxes';

type Wrong = keyof typeof mailboxes.imap.wrong;

/** Our text for a code, where there is one. */
export function useWrongText(): (code: string | undefined) => string | null {
  const { t } = useTranslation();
  return (code) => (isSaid(code) ? t(`mailboxes.imap.wrong.${code}`) : null);
}

const isSaid = (code: string | undefined): code is Wrong =>
  code !== undefined && hasText(`mailboxes.imap.wrong.${code}`);

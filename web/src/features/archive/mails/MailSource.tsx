import type { ReactNode } from 'react';
import { SourceText } from '../../../ui/reading/SourceText';
import { useRawMail } from './raw-mail';
import type { OfMail } from './of-mail';
import { UnlockedView } from './UnlockedView';

/** An archived mail as it came. */
export function MailSource({ accountId, mail }: OfMail): ReactNode {
  return (
    <UnlockedView unlocked={useRawMail({ accountId, mail })}>{(raw) => <SourceText {...raw} />}</UnlockedView>
  );
}

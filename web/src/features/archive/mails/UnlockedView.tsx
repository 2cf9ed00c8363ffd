import type { ReactNode } from 'react';
import { QueryView } from '../../../ui/QueryView';
import { PassphraseForm } from '../../../shared/passphrases/PassphraseForm';
import type { UnlockedQuery } from './unlocked-query';

interface UnlockedViewProps<Data> {
  readonly unlocked: UnlockedQuery<Data>;
  readonly children: (data: Data) => ReactNode;
}

/** The content of a mail, or a form for its passphrase. */
export function UnlockedView<Data>({ unlocked, children }: UnlockedViewProps<Data>): ReactNode {
  if (unlocked.isLocked) return <PassphraseForm wasWrong={unlocked.wasWrong} />;
  return <QueryView query={unlocked.query}>{children}</QueryView>;
}

import { useNavigate } from '@tanstack/react-router';
import { Suspense, useEffect, useState, type ReactNode } from 'react';
import { useAccount } from '../api/me';
import { isTyping } from '../ui/is-typing';
import { pageComponent } from '../ui/page-component';
import { SEARCH_ID } from './HeaderSearch';
import { GO_TO, ShortcutReader } from './shortcut-reader';

export const CommandPalette = pageComponent(() => import('./CommandPalette'), 'CommandPalette', 'palette');
export const KeyList = pageComponent(() => import('./KeyList'), 'KeyList', 'keys');

/** Keys that work on every page, and the list of all keys. */
export function Shortcuts(): ReactNode {
  const [opened, setOpened] = useState<boolean | null>(null);
  const [isPalette, setPalette] = useState<boolean | null>(null);
  const navigate = useNavigate();
  const accountId = useAccount()?.id;
  useEffect(() => {
    const reader = new ShortcutReader();
    const hear = (event: KeyboardEvent): void => {
      if (isPaletteKey(event)) {
        // Browsers lead to their own search.
        event.preventDefault();
        setPalette(true);
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const shortcut = reader.read(event.key, event.timeStamp);
      if (shortcut?.kind === 'help') setOpened(true);
      if (shortcut?.kind === 'search') {
        // The field would take the key as well.
        event.preventDefault();
        document.getElementById(SEARCH_ID)?.focus();
      }
      if (shortcut?.kind !== 'go') return;
      const { to } = GO_TO[shortcut.page];
      if (to === '/settings') void navigate({ to });
      else if (accountId !== undefined) void navigate({ to, params: { accountId } });
    };
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, [navigate, accountId]);
  return (
    <Suspense>
      {opened !== null && <KeyList opened={opened} onClose={() => setOpened(false)} />}
      {isPalette !== null && (
        <CommandPalette opened={isPalette} onClose={() => setPalette(false)} onKeys={() => setOpened(true)} />
      )}
    </Suspense>
  );
}

/** Ctrl and K, or ⌘ and K; also while one types. */
const isPaletteKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey;

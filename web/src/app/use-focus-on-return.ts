import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** After going back or forward, the focus leaves the link that was used last: the page that appears takes it. */
export function useFocusOnReturn(contentId: string): void {
  const { history } = useRouter();
  useEffect(
    () =>
      history.subscribe(({ action }) => {
        if (action.type === 'PUSH' || action.type === 'REPLACE') return;
        const focused = document.activeElement;
        const isInPage = document.getElementById(contentId)?.contains(focused) ?? false;
        if (focused instanceof HTMLElement && !isInPage) focused.blur();
      }),
    [history, contentId],
  );
}

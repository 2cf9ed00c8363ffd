import { useEffect, useState } from 'react';

/** Whether the browser has a connection, and since when. */
export function useOnline(): { readonly online: boolean; readonly since: number } {
  const [state, setState] = useState({ online: navigator.onLine, since: Date.now() });
  useEffect(() => {
    const update = (): void => setState({ online: navigator.onLine, since: Date.now() });
    window.addEventListener('online', update);
    window.addEventListener('offline', update);
    return () => {
      window.removeEventListener('online', update);
      window.removeEventListener('offline', update);
    };
  }, []);
  return state;
}

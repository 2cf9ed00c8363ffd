import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { TrayContents } from '../jobs/JobTray';
import { Suggestions } from './HeaderSearch';
import { KeyList } from './Shortcuts';

/** After the first page is there, and the browser has nothing better to do. */
const LATER_MS = 2_000;

/** Loads the code of all pages, and of the list of keys and the suggestions, ahead, so that they open while the service is away, or after it was updated. */
export function useLoadedPages(): void {
  const router = useRouter();
  useEffect(() => {
    const timer = setTimeout(() => {
      const pages = Object.values(router.routesById).map((route) => router.loadRouteChunk(route));
      // A part that fails to load is loaded again when it is opened.
      for (const part of [...pages, KeyList.preload?.(), TrayContents.preload?.(), Suggestions.preload?.()])
        void Promise.resolve(part).catch(() => undefined);
    }, LATER_MS);
    return () => clearTimeout(timer);
  }, [router]);
}

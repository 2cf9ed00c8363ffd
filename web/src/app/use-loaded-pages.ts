import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** After the first page is there, and the browser has nothing better to do. */
const LATER_MS = 2_000;

/** Loads the code of all pages ahead, so that they open while the service is away, or after it was updated. */
export function useLoadedPages(): void {
  const router = useRouter();
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const route of Object.values(router.routesById))
        // Should it fail, the page is loaded when it is opened.
        void Promise.resolve(router.loadRouteChunk(route)).catch(() => undefined);
    }, LATER_MS);
    return () => clearTimeout(timer);
  }, [router]);
}

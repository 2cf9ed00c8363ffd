import { useEffect, useSyncExternalStore } from 'react';
import { uploads, type Upload } from './upload-store';

/** The uploads of this tab. */
export const useUploads = (): readonly Upload[] => useSyncExternalStore(uploads.subscribe, uploads.snapshot);

/** The browser asks before it closes a page whose uploads would be interrupted. */
export function useUploadWarning(): void {
  const isOpen = useUploads().some(({ status }) => status !== 'failed' && status !== 'refused');
  useEffect(() => {
    if (!isOpen) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isOpen]);
}

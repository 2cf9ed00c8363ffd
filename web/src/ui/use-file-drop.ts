import { useEffect, useState } from 'react';

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false;

/** Whether files are held over the page. Without this, the browser would open what is dropped, and leave the page. */
export function useFileDrop(onDrop: (dropped: DataTransfer) => void): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    // The event of the element that is entered comes before that of the one that is left.
    let depth = 0;
    const listening = new AbortController();
    const listen = (
      type: 'dragenter' | 'dragover' | 'dragleave' | 'drop',
      hear: (event: DragEvent) => void,
    ) =>
      window.addEventListener(
        type,
        (event) => {
          if (!hasFiles(event)) return;
          event.preventDefault();
          hear(event);
        },
        { signal: listening.signal },
      );
    const count = (change: number): void => {
      depth = Math.max(0, depth + change);
      setOver(depth > 0);
    };
    listen('dragenter', () => count(1));
    listen('dragover', () => undefined);
    listen('dragleave', () => count(-1));
    listen('drop', ({ dataTransfer }) => {
      count(-depth);
      if (dataTransfer) onDrop(dataTransfer);
    });
    return () => listening.abort();
  }, [onDrop]);
  return isOver;
}

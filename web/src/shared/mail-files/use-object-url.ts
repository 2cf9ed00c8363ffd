import { useEffect, useState } from 'react';

/** An address of bytes, for as long as the component is there; null until there is one. */
export function useObjectUrl(bytes: Uint8Array | undefined, type: string): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (bytes === undefined) return undefined;
    const made = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: type.toLowerCase() }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, type]);
  return url;
}

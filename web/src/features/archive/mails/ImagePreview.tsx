import { Image } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { fileBytes, type MailFile } from './file-bytes';
import { usePassphrase } from '../../../shared/passphrases/passphrase';

/** Raster images. SVG is a document, which is saved and never shown. */
const SHOWN = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/bmp']);
const MOST_BYTES = 5 * 1024 * 1024;
const HEIGHT_PX = 72;

export const isPreviewed = ({ mimeType, sizeBytes }: MailFile): boolean =>
  SHOWN.has(mimeType.toLowerCase()) && sizeBytes > 0 && sizeBytes <= MOST_BYTES;

/** A small picture of an image that came with a mail. */
export function ImagePreview({ source, filename, mimeType }: MailFile): ReactNode {
  const { t } = useTranslation();
  const passphrase = usePassphrase();
  const bytes = useQuery({
    queryKey: ['file', source, passphrase !== null],
    queryFn: ({ signal }) => fileBytes(source, passphrase ?? undefined, signal),
    staleTime: Infinity,
    // Megabytes that are no longer shown.
    gcTime: 0,
  });
  const url = useObjectUrl(bytes.data, mimeType);
  const [isBroken, setIsBroken] = useState(false);
  // Without a picture there is the link to the file.
  if (url === null || isBroken) return null;
  return (
    <Image
      src={url}
      alt={t('archive.preview', { name: filename })}
      h={HEIGHT_PX}
      w="auto"
      maw={160}
      fit="contain"
      radius="sm"
      onError={() => setIsBroken(true)}
    />
  );
}

function useObjectUrl(bytes: Uint8Array | undefined, type: string): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (bytes === undefined) return undefined;
    const made = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: type.toLowerCase() }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, type]);
  return url;
}

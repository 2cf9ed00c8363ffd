import { Image, UnstyledButton } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { MailFile } from './file-bytes';
import { useFile } from './use-file';
import { useObjectUrl } from './use-object-url';

const HEIGHT_PX = 72;

interface ImagePreviewProps extends MailFile {
  readonly onShow: () => void;
}

/** A small picture of an image that came with a mail, which opens a large one. */
export function ImagePreview({ source, filename, mimeType, onShow }: ImagePreviewProps): ReactNode {
  const { t } = useTranslation();
  const url = useObjectUrl(useFile(source).data, mimeType);
  const [isBroken, setIsBroken] = useState(false);
  // Without a picture there is the link to the file.
  if (url === null || isBroken) return null;
  return (
    <UnstyledButton onClick={onShow} style={{ alignSelf: 'start' }}>
      <Image
        src={url}
        alt={t('mailFacts.files.preview', { name: filename })}
        h={HEIGHT_PX}
        w="auto"
        maw={160}
        fit="contain"
        radius="sm"
        onError={() => setIsBroken(true)}
      />
    </UnstyledButton>
  );
}

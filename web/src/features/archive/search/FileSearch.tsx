import { Alert, Button, FileButton } from '@mantine/core';
import { IconFileSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DropOverlay } from '../../../ui/DropOverlay';
import { useFileDrop } from '../../../ui/use-file-drop';
import { hashOfFile, MAX_FILE_BYTES } from './file-hash';

interface FileSearchProps {
  /** @param hash SHA-256 of the file */
  readonly onSearch: (hash: string, name: string) => void;
}

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'reading' | 'tooLarge' | 'unreadable'; readonly name: string };

/** Finds the mails that carry a file, which is chosen or dropped on the page. The file stays on this computer. */
export function FileSearch({ onSearch }: FileSearchProps): ReactNode {
  const { t } = useTranslation();
  const [state, setState] = useState<State>({ kind: 'idle' });
  const reading = useRef<AbortController>(null);
  useEffect(() => () => reading.current?.abort(), []);
  const find = async (file: File): Promise<void> => {
    reading.current?.abort();
    const { name } = file;
    if (file.size > MAX_FILE_BYTES) return setState({ kind: 'tooLarge', name });
    const { signal } = (reading.current = new AbortController());
    setState({ kind: 'reading', name });
    try {
      const hash = await hashOfFile(file, signal);
      setState({ kind: 'idle' });
      onSearch(hash, name);
    } catch (error) {
      if (signal.aborted) return;
      // A folder that is dropped, and a file that is gone, cannot be read.
      if (!(error instanceof DOMException)) throw error;
      setState({ kind: 'unreadable', name });
    }
  };
  const isOver = useFileDrop(({ files }) => {
    if (files[0]) void find(files[0]);
  });
  return (
    <>
      <FileButton onChange={(file) => file && void find(file)}>
        {(props) => (
          <Button
            {...props}
            size="compact-sm"
            variant="default"
            leftSection={<IconFileSearch size={16} aria-hidden />}
            loading={state.kind === 'reading'}
          >
            {t('search.byFile.choose')}
          </Button>
        )}
      </FileButton>
      {(state.kind === 'tooLarge' || state.kind === 'unreadable') && (
        <Alert color="red" role="alert" w="100%">
          {t(`search.byFile.${state.kind}`, { name: state.name })}
        </Alert>
      )}
      {isOver && <DropOverlay icon={IconFileSearch} text={t('search.byFile.drop')} />}
    </>
  );
}

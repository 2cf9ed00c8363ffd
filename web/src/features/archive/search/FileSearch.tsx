import { Alert, Button, FileButton, Group, Overlay, Text } from '@mantine/core';
import { IconFileSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
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
  const isOver = useFileDrop((file) => void find(file));
  return (
    <>
      <Group gap="xs">
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
      </Group>
      {(state.kind === 'tooLarge' || state.kind === 'unreadable') && (
        <Alert color="red" role="alert" w="100%">
          {t(`search.byFile.${state.kind}`, { name: state.name })}
        </Alert>
      )}
      {isOver && (
        <Overlay fixed center zIndex={300} backgroundOpacity={0.6}>
          <Text c="white" fw={600} size="lg" ta="center" p="md">
            {t('search.byFile.drop')}
          </Text>
        </Overlay>
      )}
    </>
  );
}

/** Takes a file that is dropped anywhere on the page. @returns whether one is being dragged over it */
function useFileDrop(onFile: (file: File) => void): boolean {
  const [isOver, setOver] = useState(false);
  const take = useRef(onFile);
  useEffect(() => {
    take.current = onFile;
  });
  useEffect(() => {
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      // Otherwise the browser would open the file in place of the page.
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      const file = event.dataTransfer?.files[0];
      if (file) take.current(file);
    };
    const stop = new AbortController();
    document.addEventListener('dragover', over, stop);
    document.addEventListener('dragleave', leave, stop);
    document.addEventListener('drop', drop, stop);
    return () => stop.abort();
  }, []);
  return isOver;
}

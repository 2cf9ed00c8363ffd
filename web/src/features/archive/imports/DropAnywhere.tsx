import { Center, Overlay, Paper, Stack, Text } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { MailboxAccount } from '../../../api/me';
import type { PlacedFile } from '../../../jobs/uploads/bundle';
import { droppedFiles } from '../../../jobs/uploads/dropped-files';
import { takeFiles } from '../../../jobs/uploads/take-files';

interface DropAnywhereProps {
  readonly account: Pick<MailboxAccount, 'id' | 'email'>;
}

/** Files that are dropped on any page of a mailbox are imported into its archive. */
export function DropAnywhere({ account }: DropAnywhereProps): ReactNode {
  const { id, email } = account;
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const isOver = useFileDrop((dropped) => {
    void dropped.then((files) => takeFiles(client, id, files));
    void navigate({ to: '/a/$accountId/transfer', params: { accountId: id } });
  });
  if (!isOver) return null;
  return (
    <Overlay fixed zIndex={300} backgroundOpacity={0.6}>
      <Center h="100%" p="md">
        <Paper withBorder p="xl">
          <Stack align="center">
            <IconFileImport size={40} aria-hidden />
            <Text ta="center">{t('jobs.dropAnywhere', { email })}</Text>
          </Stack>
        </Paper>
      </Center>
    </Overlay>
  );
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false;

/** Whether files are held over the page. Without this, the browser would open what is dropped, and leave the page. */
function useFileDrop(onFiles: (files: Promise<readonly PlacedFile[]>) => void): boolean {
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
      if (dataTransfer) onFiles(droppedFiles(dataTransfer));
    });
    return () => listening.abort();
  }, [onFiles]);
  return isOver;
}

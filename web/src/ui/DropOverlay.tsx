import { Center, Overlay, Paper, Stack, Text } from '@mantine/core';
import type { Icon as TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface DropOverlayProps {
  readonly icon: TablerIcon;
  /** Says where the files go. */
  readonly text: string;
}

/** Covers the page while files are held over it. */
export function DropOverlay({ icon: Icon, text }: DropOverlayProps): ReactNode {
  return (
    <Overlay fixed zIndex={300} backgroundOpacity={0.6}>
      <Center h="100%" p="md">
        <Paper withBorder p="xl">
          <Stack align="center">
            <Icon size={40} aria-hidden />
            <Text ta="center">{text}</Text>
          </Stack>
        </Paper>
      </Center>
    </Overlay>
  );
}

import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './page.module.css';

/** Which keys a list knows, where there are keys. */
export function KeysHint({ text }: { readonly text: string }): ReactNode {
  return (
    <Text size="xs" c="dimmed" className={classes.keys}>
      {text}
    </Text>
  );
}

import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './page.module.css';

/** In a line that scrolls it gives way, rather than to be what one scrolls to. */
const SHRINKS = { flexShrink: 1 } as const;

interface KeysHintProps {
  readonly text: string;
  /** Shown where there are no keys. */
  readonly touch: string;
}

/** Which keys a list knows, or how it is used without keys. */
export function KeysHint({ text, touch }: KeysHintProps): ReactNode {
  return (
    <>
      <Text size="xs" c="dimmed" truncate miw={0} style={SHRINKS} className={classes.keys}>
        {text}
      </Text>
      <Text size="xs" c="dimmed" truncate miw={0} style={SHRINKS} className={classes.touch}>
        {touch}
      </Text>
    </>
  );
}

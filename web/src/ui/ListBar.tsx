import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './list-bar.module.css';

interface ListBarProps {
  /** Number of items found or chosen, and controls to choose more or none. */
  readonly count: ReactNode;
  /** Actions on the chosen items. */
  readonly actions: ReactNode;
  /** Content that is too long for a line, such as a refusal. */
  readonly children?: ReactNode;
}

/**
 * Two lines above a list. They are as high whether something is chosen or not: a row that moved under the finger would
 * take the next touch for a button's.
 */
export function ListBar({ count, actions, children }: ListBarProps): ReactNode {
  return (
    <Box className={classes.bar}>
      <div className={classes.line}>{count}</div>
      <div className={classes.line}>{actions}</div>
      {children}
    </Box>
  );
}

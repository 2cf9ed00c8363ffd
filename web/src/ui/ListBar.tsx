import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './list-bar.module.css';

interface ListBarProps {
  /** How many were found or chosen, and what chooses more or none. */
  readonly count: ReactNode;
  /** What can be done with what is chosen. */
  readonly actions: ReactNode;
  /** What is too long for a line, such as a refusal. */
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

import type { ReactNode } from 'react';
import classes from './coverage.module.css';
import { PARTS, type Part } from './parts';

/** The classes of messages as parts of one bar. It is for the eye: the text beside it says the same. */
export function CoverageBar({ figures }: { readonly figures: Partial<Record<Part, number>> }): ReactNode {
  return (
    <div className={classes.bar} aria-hidden>
      {PARTS.map((part) => (
        <div key={part} className={classes[part]} style={{ flexGrow: figures[part] ?? 0 }} />
      ))}
    </div>
  );
}

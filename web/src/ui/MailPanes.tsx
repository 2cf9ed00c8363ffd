import { useEffect, useRef, type ReactNode } from 'react';
import classes from './mail.module.css';

interface MailPanesProps {
  readonly list: ReactNode;
  /** The mail that is being read, if any. */
  readonly reader: ReactNode;
}

/** A list with a reader beside it; on a narrow page the reader takes the list's place. */
export function MailPanes({ list, reader }: MailPanesProps): ReactNode {
  const isReading = reader !== null && reader !== undefined && reader !== false;
  const listPane = useRef<HTMLDivElement>(null);
  const wasReading = useRef(isReading);
  useEffect(() => {
    const hasClosed = wasReading.current && !isReading;
    wasReading.current = isReading;
    // The focus was in the mail that is gone: the keys go on with the list.
    if (hasClosed && document.activeElement === document.body)
      listPane.current?.querySelector<HTMLElement>('[role="listbox"]')?.focus({ preventScroll: true });
  }, [isReading]);
  return (
    <div className={classes.panes} data-reading={isReading || undefined}>
      <div ref={listPane} className={classes.list}>
        {list}
      </div>
      {reader}
    </div>
  );
}

import { useMemo, type ReactNode } from 'react';
import { markDocument } from './highlights/mark-document';
import { useSought } from './highlights/Sought';

interface MailFrameProps {
  readonly title: string;
  /** A document of the service, made safe. */
  readonly html: string;
}

/**
 * A mail in a separate frame. The frame has no origin, runs no scripts and sends no forms; links open in a new tab. Mail is
 * written for white paper. The words of the search are marked.
 */
export function MailFrame({ title, html }: MailFrameProps): ReactNode {
  const terms = useSought();
  const marked = useMemo(() => markDocument(html, terms), [html, terms]);
  return (
    <iframe
      title={title}
      srcDoc={marked}
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
      style={{
        width: '100%',
        height: '100%',
        minHeight: 240,
        border: 0,
        background: '#fff',
        colorScheme: 'light',
      }}
    />
  );
}

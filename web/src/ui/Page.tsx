import { Stack, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './page.module.css';

interface PageProps {
  readonly title: string;
  /** Whether the page is as high as the window, for content that scrolls in itself. */
  readonly fills?: boolean;
  /** Search and tools, on the line of the title where there is room. */
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}

/** A page with its title. The title takes the focus when the page is opened: keyboards and screen readers begin there. */
export function Page({ title, fills = false, tools, children }: PageProps): ReactNode {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  useDocumentTitle(`${title} · ${t('common.appName')}`);
  useEffect(() => {
    // A field of the page that wants the focus has it already.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  const head = (
    <Title order={1} size="h2" ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
      {title}
    </Title>
  );
  return (
    <Stack gap={fills ? 8 : 'md'} className={fills ? classes.fills : undefined}>
      {tools === undefined ? (
        head
      ) : (
        <div className={classes.head}>
          {head}
          {tools}
        </div>
      )}
      {children}
    </Stack>
  );
}

/** Tools beside the title; on a narrow page a line that scrolls sideways, so that a list begins high up. */
export function PageTools({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className={classes.tools}>{children}</div>;
}

import { Stack, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './page.module.css';

interface PageProps {
  readonly title: string;
  /** Whether the page is as high as the window, for content that scrolls in itself. */
  readonly fills?: boolean;
  readonly children: ReactNode;
}

/** A page with its title. The title takes the focus when the page is opened: keyboards and screen readers begin there. */
export function Page({ title, fills = false, children }: PageProps): ReactNode {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  useDocumentTitle(`${title} · ${t('common.appName')}`);
  useEffect(() => {
    // A field of the page that wants the focus has it already.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Stack gap="md" className={fills ? classes.fills : undefined}>
      <Title order={1} size="h2" ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
        {title}
      </Title>
      {children}
    </Stack>
  );
}

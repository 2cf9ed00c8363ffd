import { Button, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconPrinter } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './mail.module.css';
import { headLines, type MailHeadProps } from './MailReader';

interface PrintMailProps {
  /** Head of the mail, printed above it. */
  readonly head: MailHeadProps;
  /** A document of the service, made safe. */
  readonly html: string;
}

/** Prints the mail that is being read: all of it, and nothing of the page around it. */
export function PrintMail({ head, html }: PrintMailProps): ReactNode {
  const { t } = useTranslation();
  const print = (): void =>
    printDocument(
      buildPrintPage({ title: head.subject || t('mail.noSubject'), lines: headLines(t, head) }, html),
    );
  // The browser itself would print the page, with what is in sight of the mail.
  useHotkeys([['mod+P', print]]);
  return (
    <>
      <Button
        mt="xs"
        size="compact-xs"
        variant="default"
        style={{ alignSelf: 'start', flexShrink: 0 }}
        leftSection={<IconPrinter size={14} aria-hidden />}
        onClick={print}
      >
        {t('mailFacts.print')}
      </Button>
      <Text className={classes.printNote} size="xs">
        {t('mailFacts.printNote')}
      </Text>
    </>
  );
}

interface PrintedHead {
  readonly title: string;
  readonly lines: readonly (readonly [name: string, value: string])[];
}

/** The document of a mail with its head above it. */
export function buildPrintPage({ title, lines }: PrintedHead, html: string): string {
  const mail = new DOMParser().parseFromString(html, 'text/html');
  const head = mail.createElement('header');
  const heading = mail.createElement('h1');
  heading.textContent = title;
  heading.style.cssText = 'font: bold 16px sans-serif; margin: 0 0 8px';
  head.append(heading);
  for (const [name, value] of lines) {
    const line = mail.createElement('p');
    line.textContent = `${name} ${value}`;
    line.style.cssText = 'font: 12px sans-serif; margin: 0; overflow-wrap: anywhere';
    head.append(line);
  }
  head.style.cssText = 'border-bottom: 1px solid #999; padding-bottom: 8px; margin-bottom: 12px; color: #000';
  mail.body.prepend(head);
  mail.title = title;
  return `<!doctype html>${mail.documentElement.outerHTML}`;
}

/**
 * Prints a document in a separate frame, which is removed afterwards. The frame has the page's origin, as it could not be told
 * to print otherwise; it runs no scripts and sends no forms.
 */
function printDocument(html: string): void {
  const frame = document.createElement('iframe');
  frame.sandbox.add('allow-same-origin', 'allow-modals');
  frame.referrerPolicy = 'no-referrer';
  frame.setAttribute('aria-hidden', 'true');
  frame.dataset['print'] = '';
  frame.style.cssText = 'position: fixed; inset-inline-end: 100%; width: 210mm; height: 297mm; border: 0';
  frame.addEventListener('load', () => {
    const printed = frame.contentWindow;
    if (!printed) return;
    // Some browsers return at once, and print later.
    printed.addEventListener('afterprint', () => frame.remove());
    printed.focus();
    printed.print();
  });
  document.querySelector('iframe[data-print]')?.remove();
  frame.srcdoc = html;
  document.body.append(frame);
}

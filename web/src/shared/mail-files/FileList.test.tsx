import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../../test/render';
import { loadTexts } from '../../i18n/texts';
import type { MailFile } from './file-bytes';
import { FileList } from './FileList';

const CONTENT: Readonly<Record<string, string>> = { 1: 'first text', 2: 'a,b\n1,2', 3: '%PDF-1.7' };

const file = (partId: string, filename: string, mimeType: string): MailFile => ({
  source: { operation: 'mailbox.downloadAttachment', accountId: 'a', messageId: 'm', partId },
  isEncrypted: false,
  filename,
  mimeType,
  sizeBytes: 1_000,
});
const FILES = [
  file('1', 'notes.txt', 'text/plain'),
  file('3', 'order.pdf', 'application/pdf'),
  file('2', 'table.csv', 'TEXT/CSV'),
];

describe('the files of a mail', () => {
  beforeAll(() => loadTexts('mailFacts'));

  const saved: { readonly name: string; readonly size: number }[] = [];

  beforeEach(() => {
    saved.splice(0);
    let size = 0;
    vi.spyOn(window, 'fetch').mockImplementation(async (input) => {
      const part = new URL((input as Request).url).pathname.split('/').at(-1) ?? '';
      return new Response(CONTENT[part], { headers: { 'content-type': 'application/octet-stream' } });
    });
    // They stay: the addresses are given up a minute later.
    Object.assign(URL, {
      createObjectURL: (blob: Blob) => {
        ({ size } = blob);
        return 'blob:a';
      },
      revokeObjectURL: () => undefined,
    });
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push({ name: this.download, size });
    });
  });

  it('should be shown one after the other, if they are text', async () => {
    renderPart(<FileList subject="Order" files={FILES} />);
    expect(screen.getAllByRole('link')).toHaveLength(3);
    expect(screen.queryByRole('button', { name: 'Preview of order.pdf' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Preview of notes.txt' }));
    const dialog = await screen.findByRole('dialog', { name: 'notes.txt' });
    expect(await within(dialog).findByText('first text')).toBeVisible();
    expect(within(dialog).getByText('1 of 2')).toBeVisible();

    await userEvent.click(within(dialog).getByRole('button', { name: 'Next file' }));
    expect(await screen.findByRole('dialog', { name: 'table.csv' })).toBeVisible();
    expect(await within(dialog).findByText(/a,b/)).toBeVisible();
    await userEvent.keyboard('{ArrowLeft}');
    expect(await within(dialog).findByText('first text')).toBeVisible();
  });

  it('should be saved all together', async () => {
    renderPart(<FileList subject="Order 7" files={FILES} />);
    await userEvent.click(screen.getByRole('button', { name: /^Download all 3 files/ }));
    await vi.waitFor(() => expect(saved).toHaveLength(1));
    expect(saved[0]?.name).toBe('Order 7.zip');
    expect(saved[0]?.size).toBeGreaterThan(Object.values(CONTENT).join('').length);
  });

  it('should not be put together when there is one only', () => {
    renderPart(<FileList subject="Order" files={FILES.slice(0, 1)} />);
    expect(screen.queryByRole('button', { name: /^Download/ })).toBeNull();
  });
});

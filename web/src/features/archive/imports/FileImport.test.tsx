import { screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../../../test/render';
import type { MailboxAccount } from '../../../api/me';
import { FileImport } from './FileImport';

describe('FileImport', () => {
  it.each([
    ['archive', 'the pages of this archive'],
    ['gmail', 'the pages of this mailbox'],
  ])('should say where files can be dropped, of an account of %s', (provider, text) => {
    vi.stubGlobal(
      'fetch',
      vi.fn(async () => Response.json({ uploads: [], providers: [] })),
    );
    renderPart(<FileImport account={{ id: 'a', email: 'Old mail', provider } as MailboxAccount} />);
    expect(screen.getByText(new RegExp(text))).toBeVisible();
  });
});

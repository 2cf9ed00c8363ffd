import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../../../test/render';
import { mailboxTerms } from './mailbox-operators';
import { MailboxOperators } from './MailboxOperators';

const NOW = Date.UTC(2026, 10, 28, 12);
const gist = (q: string): unknown =>
  mailboxTerms(q, NOW).map(({ written, conditions, rest }) => [written, conditions, rest]);

describe('mailboxTerms', () => {
  it.each([
    ['from:papeterie', { sender: 'papeterie' }],
    ['from:"Papeterie Lune"', { sender: 'Papeterie Lune' }],
    ['to:ada', { recipient: 'ada' }],
    ['has:attachment', { files: true }],
    ['larger:5M', { min: 5 * 1024 ** 2 }],
    ['smaller:10k', { max: 10_240 }],
    ['after:2025/1/31', { after: '2025-01-31' }],
    ['before:2025-03-01', { before: '2025-02-28' }],
    ['older_than:1y', { before: '2025-11-28' }],
    ['newer_than:14d', { after: '2026-11-14' }],
    ['subject:invoice', null],
    ['-from:ada', null],
    ['has:drive', null],
    ['larger:0.1M', null],
    ['before:2025/02/31', null],
    ['older_than:2w', null],
  ])('should read %s', (q, conditions) => {
    expect(gist(q)).toEqual([[q, conditions, undefined]]);
  });

  it('should keep the other words, and find each term', () => {
    expect(gist('invoice from:ada paid has:attachment')).toEqual([
      ['from:ada', { sender: 'ada' }, 'invoice paid has:attachment'],
      ['has:attachment', { files: true }, 'invoice from:ada paid'],
    ]);
  });

  it.each(['invoice', 'Re: from: ada', '"from:ada"', 'http://example.org', 'transform:x', ''])(
    'should find none in %j',
    (q) => expect(gist(q)).toEqual([]),
  );
});

describe('MailboxOperators', () => {
  it('should name the term and set the filter in one click', () => {
    const onConditions = vi.fn();
    renderPart(<MailboxOperators q="lune from:papeterie" onConditions={onConditions} />);
    expect(screen.getByText('The archive does not know from: – use Filter › Sender.')).toBeVisible();
    fireEvent.click(screen.getByRole('button', { name: 'Set the filter for from:papeterie' }));
    expect(onConditions).toHaveBeenCalledWith({ sender: 'papeterie', q: 'lune' });
  });

  it('should explain that a term without a filter is searched as text', () => {
    renderPart(<MailboxOperators q="subject:invoice" onConditions={vi.fn()} />);
    expect(screen.getByText(/does not know subject:/)).toBeVisible();
    expect(screen.queryByRole('button')).toBeNull();
  });
});

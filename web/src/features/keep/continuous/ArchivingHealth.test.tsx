import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../../../test/render';
import { loadTexts } from '../../../i18n/texts';
import { ArchivingHealth, type Archiving } from './ArchivingHealth';

const anArchiving = (changes: Partial<Archiving>): Archiving => ({
  mode: 'keep',
  paused: false,
  exclusions: [],
  verifyDays: 7,
  reconcileDays: 7,
  notifyAfterHours: 24,
  followLabels: false,
  state: 'healthy',
  reason: null,
  since: null,
  lookedAt: '2026-05-04T09:30:00.000Z',
  copiedAt: null,
  pending: 1_500,
  oldestPendingAt: null,
  exact: true,
  incompleteFolders: [],
  reconciledAt: '2026-05-04T09:00:00.000Z',
  jobId: null,
  ...changes,
});

describe('ArchivingHealth', () => {
  beforeEach(async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json([])));
    await loadTexts('keep');
  });

  const said = (changes: Partial<Archiving>): string => {
    renderPart(<ArchivingHealth accountId="account" archiving={anArchiving(changes)} />);
    return screen.getByRole('status').textContent;
  };

  it('should name the folders that are not read', () => {
    expect(
      said({ state: 'behind', reason: 'incomplete', exact: false, incompleteFolders: [']a', 'b'] }),
    ).toContain('These folders could not be read completely: ]a, b');
  });

  it('should state that new mail is copied where everything is kept', () => {
    expect(said({})).toContain('New mail is copied within minutes.');
  });

  it.each<[Partial<Archiving>, string]>([
    [{ state: 'healthy' }, 'The mailbox is watched, and nothing is copied'],
    [{ state: 'behind', reason: 'first-fill', exact: false }, 'being read for the first time'],
    [{ state: 'behind', reason: 'first-fill' }, 'not been asked for new mail in the last minutes'],
    [{ state: 'behind', reason: 'backlog' }, 'not been asked for new mail in the last minutes'],
    [{ state: 'behind', reason: 'store' }, 'not been asked for new mail in the last minutes'],
    [{ state: 'behind', reason: 'incomplete' }, 'counts more messages than it lists'],
    [{ state: 'behind', reason: 'provider' }, 'The mail provider does not answer'],
    [{ state: 'behind', reason: 'history-lost', exact: false }, 'the whole mailbox is being compared'],
    [{ state: 'paused' }, 'Nothing is read.'],
    [{ state: 'needs_reconnection' }, 'The mailbox has to be connected again'],
  ])('should promise no copies where the mailbox is only watched: %j', (changes, expected) => {
    const text = said({ mode: 'watch', ...changes });
    expect(text).toContain(expected);
    expect(text).toContain('1,500 messages are not in the archive');
    expect(text).not.toMatch(/copied within|being copied|can be copied|Everything is in order|wait/);
  });

  it('should state that nothing is copied where archiving is off', () => {
    expect(said({ mode: 'off', state: 'off', pending: 0 })).toContain('Nothing is copied by itself.');
  });
});

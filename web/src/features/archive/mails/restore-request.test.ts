import { describe, expect, it } from 'vitest';
import { BLANK_RESTORE, SERVER, restoreBody } from './restore-request';

const ACCOUNT = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d';
const CHOSEN = { count: 2, body: { mailIds: ['a', 'b'] } };

describe('restoreBody', () => {
  it('should restore selected mails to a mailbox with their labels', () => {
    const body = restoreBody(CHOSEN, { ...BLANK_RESTORE, target: ACCOUNT, host: 'left.over' });
    expect(body).toEqual({
      select: { mailIds: ['a', 'b'] },
      target: { accountId: ACCOUNT },
      labels: 'original',
      onDifferent: 'skip',
    });
  });

  it('should restore all results to a server', () => {
    const chosen = {
      count: 9,
      body: { filter: { q: 'invoice', archived_until: '2026-01-01T00:00:00.000Z' } },
    };
    const body = restoreBody(chosen, {
      ...BLANK_RESTORE,
      target: SERVER,
      host: ' imap.example.org ',
      user: 'ada',
      pass: ' secret ',
      root: ' Old ',
      labels: false,
      addLabel: ' Back ',
      insertDifferent: true,
    });
    expect(body).toEqual({
      select: { filter: chosen.body.filter },
      target: {
        imap: {
          host: 'imap.example.org',
          port: 993,
          user: 'ada',
          pass: ' secret ',
          secure: true,
          root: 'Old',
        },
      },
      labels: 'none',
      addLabel: 'Back',
      onDifferent: 'insert',
    });
  });
});

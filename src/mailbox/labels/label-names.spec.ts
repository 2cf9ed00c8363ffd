import { Logger } from '@nestjs/common';
import { MessageNotFound } from '../../providers/port/mail-provider.errors';
import type { MailboxProviders, ProviderAccount } from '../../providers/port/mailbox-provider.port';
import { LabelNames } from './label-names';
import type { LabelNamesRepository } from './label-names.repository';

const ACCOUNT = { id: 'account' } as ProviderAccount;
const BILLS = { id: 'Label_1', name: 'Bills', type: 'user' };

describe('LabelNames', () => {
  const save = jest.fn();
  const listLabels = jest.fn();
  const names = new LabelNames(
    { save } as unknown as LabelNamesRepository,
    { forAccount: () => ({ listLabels }) } as unknown as MailboxProviders,
  );
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();

  beforeEach(() => jest.clearAllMocks());
  afterAll(() => warn.mockRestore());

  it("should remember the user's labels as well as the system labels", async () => {
    listLabels.mockResolvedValue([{ id: 'INBOX', name: 'INBOX', type: 'system' }, BILLS]);
    await names.refresh(ACCOUNT, { priority: 'background' });
    expect(save.mock.calls).toEqual([['account', [BILLS]]]);
  });

  it('should keep the known names when the mailbox does not respond', async () => {
    listLabels.mockRejectedValue(new MessageNotFound());
    await names.refresh(ACCOUNT, { priority: 'background' });
    expect(save).not.toHaveBeenCalled();
    expect(warn).toHaveBeenCalledWith(
      'Could not refresh the label names of account account: message-not-found',
    );
  });

  it('should stop when its signal aborts, and fail on a programming error', async () => {
    listLabels.mockRejectedValue(new MessageNotFound());
    const cancelled = AbortSignal.abort(new Error('cancelled'));
    await expect(names.refresh(ACCOUNT, { priority: 'background', signal: cancelled })).rejects.toThrow(
      'cancelled',
    );
    listLabels.mockRejectedValue(new TypeError('fault'));
    await expect(names.refresh(ACCOUNT, { priority: 'background' })).rejects.toThrow('fault');
  });
});

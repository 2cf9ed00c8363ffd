import { ArchiveStoreFull, ArchiveStoreUnavailable } from '../../files/archive-store.errors';
import { StorageQuotaExceeded } from '../../mails/archive.errors';
import { MessageRefused } from '../refusal';
import { replyTo } from './smtp-reply';

describe('replyTo', () => {
  it.each([
    [new MessageRefused('too-large'), '552 5.3.4'],
    [new MessageRefused('loop'), '554 5.4.6'],
    [new MessageRefused('busy'), '452 4.3.1'],
    [new MessageRefused('stopping'), '451 4.3.2'],
    [new StorageQuotaExceeded(), '452 4.2.2'],
    [new ArchiveStoreFull(new Error('ENOSPC')), '452 4.3.1'],
    [Object.assign(new Error('no space'), { code: 'ENOSPC' }), '452 4.3.1'],
    [new ArchiveStoreUnavailable('it refuses connections'), '451 4.3.0'],
    [Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), '451 4.3.0'],
    [new Error('a fault'), '451 4.3.0'],
  ])('should answer %s with %s', (error, code) => {
    expect(String(replyTo(error).responseCode)).toBe(code);
    expect(replyTo(error).message).not.toContain('fault');
  });
});

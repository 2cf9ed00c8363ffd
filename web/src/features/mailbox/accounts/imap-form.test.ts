import { describe, expect, it } from 'vitest';
import { bodyOf, foldersOf, rolesToConfirm, formOf, formatFingerprint, type Test } from './imap-form';

const test: Test = {
  success: true,
  server: { host: 'h', port: 993, security: 'tls', username: 'u', certificateSha256: null },
  folders: [
    { path: 'INBOX', role: 'inbox', source: 'server', problem: null },
    { path: 'Sent', role: 'sent', source: 'server', problem: null },
    { path: 'Trash', role: 'trash', source: 'name', problem: null },
    { path: 'Old', role: 'user', source: 'name', problem: null },
  ],
};

describe('the form of an IMAP server', () => {
  it('should start with the discovered server, or with the address', () => {
    expect(formOf('a@b.c', undefined)).toMatchObject({ host: '', port: 993, username: 'a@b.c' });
    const found = { host: 'h', port: 143, security: 'starttls', username: 'a', source: 'dns' } as const;
    expect(formOf('a@b.c', found)).toMatchObject({
      host: 'h',
      port: 143,
      security: 'starttls',
      username: 'a',
    });
  });

  it('should omit an unconfirmed certificate', () => {
    expect(bodyOf('a@b.c', undefined, formOf('a@b.c', undefined)).certificateSha256).toBeUndefined();
  });

  it('should confirm roles guessed from names, and changed ones, but not those that the server declares', () => {
    const chosen = foldersOf(test);
    expect(chosen).toEqual({ archive: null, sent: 'Sent', drafts: null, junk: null, trash: 'Trash' });
    expect(rolesToConfirm(test, { ...chosen, archive: 'Old' })).toEqual({ Trash: 'trash', Old: 'archive' });
  });

  it('should show fingerprints in pairs', () => {
    expect(formatFingerprint('0aff')).toBe('0A:FF');
  });
});

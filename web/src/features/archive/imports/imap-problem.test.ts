import { describe, expect, it } from 'vitest';
import '../../../i18n';
import { wrongField } from './imap-problem';

const TRIED = { host: 'imap.example.org', user: 'ada', pass: 'secret', folder: 'Old mail' };

describe('wrongField', () => {
  it.each([
    ['imap-host-unreachable', 'host', /imap\.example\.org cannot be reached on port 993\. Why\./],
    ['imap-tls-failed', 'secure', /imap\.example\.org on port 993/],
    ['imap-login-failed', 'pass', /imap\.example\.org refuses the user name or the password/],
    ['imap-folder-not-found', 'folder', /has no folder Old mail/],
    ['imap-folder-refused', 'folder', /ada may not read the folder Old mail/],
  ])('should name the wrong field: %s', (code, field, text) => {
    const wrong = wrongField({ error: 'Why.', error_code: code }, TRIED);
    expect(wrong?.field).toBe(field);
    expect(wrong?.text).toMatch(text);
    expect(wrong?.text).not.toContain('secret');
  });

  it('should name none for problems without a field', () => {
    expect(wrongField({ error: 'Full.', error_code: 'quota-exceeded' }, TRIED)).toBeNull();
  });
});

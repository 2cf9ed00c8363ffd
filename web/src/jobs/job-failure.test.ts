import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setLanguage } from '../i18n';
import { loadTexts } from '../i18n/texts';
import { failureText, itemFailureText, itemText } from './job-failure';

describe('failureText', () => {
  beforeEach(() => loadTexts('jobFailures'));
  afterEach(() => setLanguage('en'));

  it('should explain why a job failed in the language of the page', async () => {
    await setLanguage('fr');
    expect(failureText('The plan was deleted.', 'plan-gone')).toBe('Le plan a été supprimé.');
    expect(failureText('This mailbox is switched off.', 'mailbox-disconnected')).toContain('boîte');
    expect(failureText('The host name cannot be resolved.', 'imap-host-unreachable')).toContain(
      'injoignable',
    );
  });

  it('should quote the service where only it knows the details', async () => {
    expect(failureText('The folder is read-only.', 'provider-rejected')).toBe('The folder is read-only.');
    await setLanguage('fr');
    expect(failureText('The folder is read-only.', 'provider-rejected')).toContain(
      '«\u00a0The folder is read-only.\u00a0»',
    );
  });

  it('should quote the service where the code is missing or unknown', () => {
    expect(failureText('It broke.', undefined)).toBe('It broke.');
    expect(failureText('It broke.', null)).toBe('It broke.');
    expect(failureText('It broke.', 'of-a-later-version')).toBe('It broke.');
    expect(failureText('name must not be empty', 'validation-failed')).toBe('name must not be empty');
  });
});

describe('itemFailureText', () => {
  beforeEach(() => loadTexts('jobFailures'));
  afterEach(() => setLanguage('en'));

  it('should explain by its code why a message failed, in the language of the page', async () => {
    await setLanguage('fr');
    expect(itemFailureText({ code: 'message-empty', reason: 'it is empty' })).toBe('il est vide');
    expect(itemFailureText({ code: 'provider-unavailable', reason: 'provider-unavailable' })).toContain(
      'messagerie',
    );
  });

  it('should quote the provider, or else report that it refused', async () => {
    const code = 'provider-rejected';
    expect(itemFailureText({ code, reason: 'The folder is read-only.' })).toBe('The folder is read-only.');
    expect(itemFailureText({ code, reason: code })).toBe('The mail provider refused this.');
    await setLanguage('fr');
    expect(itemFailureText({ code, reason: 'Read-only.' })).toContain('«\u00a0Read-only.\u00a0»');
  });

  it('should show reasons of earlier versions, which have no code', () => {
    expect(itemFailureText({ reason: 'archived-file-missing' })).toBe('The archived copy is missing.');
    expect(itemFailureText({ reason: 'It broke.' })).toBe('It broke.');
  });

  it('should not mistake the name of a group of texts for a code', () => {
    expect(itemFailureText({ code: 'items', reason: 'It broke.' })).toBe('It broke.');
    expect(failureText('It broke.', 'atByte')).toBe('It broke.');
  });
});

describe('itemText', () => {
  afterEach(() => setLanguage('en'));

  it('should describe the position of a message in a file, in the language of the page', async () => {
    await loadTexts('jobFailures');
    expect(itemText('message at byte 12')).toBe('message at byte 12');
    await setLanguage('fr');
    expect([itemText('message at byte 12'), itemText('UID 7')]).toEqual(['message à l’octet 12', 'UID 7']);
  });
});

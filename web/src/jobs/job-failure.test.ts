import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setLanguage } from '../i18n';
import { loadTexts } from '../i18n/texts';
import { failureText } from './job-failure';

describe('failureText', () => {
  beforeEach(() => loadTexts('jobFailures'));
  afterEach(() => setLanguage('en'));

  it('should say why a job failed in the language of the page', async () => {
    await setLanguage('fr');
    expect(failureText('The plan was deleted.', 'plan-gone')).toBe('Le plan a été supprimé.');
    expect(failureText('This mailbox is switched off.', 'mailbox-disconnected')).toContain('boîte');
  });

  it('should quote the service where only it knows the details', async () => {
    expect(failureText('The folder is read-only.', 'provider-rejected')).toBe('The folder is read-only.');
    await setLanguage('fr');
    expect(failureText('The folder is read-only.', 'provider-rejected')).toContain(
      '«\u00a0The folder is read-only.\u00a0»',
    );
  });

  it('should say what the service says where the code is missing or not known', () => {
    expect(failureText('It broke.', undefined)).toBe('It broke.');
    expect(failureText('It broke.', null)).toBe('It broke.');
    expect(failureText('It broke.', 'of-a-later-version')).toBe('It broke.');
    expect(failureText('name must not be empty', 'validation-failed')).toBe('name must not be empty');
  });
});

import { screen } from '@testing-library/react';
import { useTranslation } from 'react-i18next';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../test/render';
import { followTabs, hasText, i18next, setLanguage, useLanguage } from './index';
import { showPreferredLanguage } from './language';

const KEPT = 'mailroom-language';

afterEach(async () => {
  vi.unstubAllGlobals();
  await setLanguage('en');
  localStorage.clear();
});

const browserOf = (...languages: string[]): unknown => vi.stubGlobal('navigator', { languages });

describe('the language', () => {
  it.each([
    ['en', ['fr-FR'], 'en'],
    ['fr', ['en-GB'], 'fr'],
    [null, ['fr-CA', 'en-US'], 'fr'],
    [null, ['de-DE', 'fr', 'en'], 'fr'],
    [null, ['de-DE', 'en', 'fr'], 'en'],
    [null, ['de-DE'], 'en'],
    ['de', ['fr-FR'], 'fr'],
  ])('should be, with %s chosen and %j of the browser, %s', async (chosen, languages, shown) => {
    if (chosen !== null) localStorage.setItem(KEPT, chosen);
    browserOf(...languages);
    await showPreferredLanguage();
    expect([i18next.language, document.documentElement.lang]).toEqual([shown, shown]);
    expect(localStorage.getItem(KEPT)).toBe(chosen);
  });

  it('should be stored when it is chosen, and follow the browser again', async () => {
    browserOf('en-GB');
    await setLanguage('fr');
    expect([localStorage.getItem(KEPT), i18next.language]).toEqual(['fr', 'fr']);
    await setLanguage(null);
    expect([localStorage.getItem(KEPT), i18next.language]).toEqual([null, 'en']);
  });

  it('should change when another tab chooses one', async () => {
    const end = followTabs();
    localStorage.setItem(KEPT, 'fr');
    window.dispatchEvent(new StorageEvent('storage', { key: KEPT }));
    await vi.waitFor(() => expect(document.documentElement.lang).toBe('fr'));
    end();
  });

  it('should be the most recently chosen one', async () => {
    await Promise.all([setLanguage('fr'), setLanguage('en')]);
    expect([i18next.language, localStorage.getItem(KEPT)]).toEqual(['en', 'en']);
  });

  it('should apply even if storage is unavailable', async () => {
    vi.stubGlobal('localStorage', {
      getItem: () => {
        throw new DOMException('closed', 'SecurityError');
      },
      setItem: () => {
        throw new DOMException('closed', 'SecurityError');
      },
    });
    browserOf('fr');
    await showPreferredLanguage();
    expect(i18next.language).toBe('fr');
    await setLanguage('en');
    expect(i18next.language).toBe('en');
  });

  it('should change visible texts, including those of pages opened before', async () => {
    function Part(): string {
      const { t } = useTranslation();
      return `${useLanguage()}: ${t('rules.title')}, ${t('shell.unread', { count: 0 })}, ${t('rules.ages.d', { count: 1_000_000 })}`;
    }
    renderPart(<Part />);
    expect(screen.getByText('en: Rules, Notifications, 1,000,000 days')).toBeVisible();
    await setLanguage('fr');
    expect(await screen.findByText(/^fr: Règles, Notifications, 1.000.000 de jours$/)).toBeVisible();
  });

  it('should know which keys have a text', async () => {
    for (const language of ['en', 'fr'] as const) {
      await setLanguage(language);
      expect(
        ['offline', 'nothing', '', 'constructor'].map((code) => hasText(`problems.codes.${code}`)),
      ).toEqual([true, false, false, false]);
      expect(hasText('problems.codes')).toBe(false);
    }
  });
});

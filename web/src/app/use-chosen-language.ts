import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../api/client';
import { useMe } from '../api/me';
import { op } from '../api/op';
import { setLanguage, type Language } from '../i18n';

/** Shows the pages in the language that the person chose, in whichever browser: it wins over what this one keeps. */
export function useChosenLanguage(): void {
  const { language } = useMe().preferences;
  useEffect(() => {
    if (!language) return;
    setLanguage(language).catch((error: unknown) => {
      console.info('The texts of the language cannot be loaded', error);
    });
  }, [language]);
}

/** Shows the pages in another language, here and wherever the person signs in. */
export function useLanguageChoice(): UseMutationResult<void, Error, Language> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (language: Language) => {
      await setLanguage(language);
      const chosen = await call('auth.updatePreferences', { body: { language } });
      client.setQueryData(op('auth.me').queryKey, (me) => me && { ...me, preferences: chosen });
    },
  });
}

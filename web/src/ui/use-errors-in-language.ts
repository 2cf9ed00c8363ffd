import { useEffect } from 'react';
import { useLanguage } from '../i18n';
import { useSteady } from './use-steady';

interface FormWithErrors {
  readonly errors: Readonly<Record<string, unknown>>;
  readonly validate: () => unknown;
}

/** Says the mistakes of a form anew when the language changes: a form keeps them as they were said. */
export function useErrorsInLanguage(form: FormWithErrors): void {
  const language = useLanguage();
  const sayAgain = useSteady((): void => {
    if (Object.keys(form.errors).length > 0) form.validate();
  });
  useEffect(sayAgain, [language, sayAgain]);
}

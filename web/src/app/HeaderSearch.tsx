import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './header-search.module.css';

/** The field, which a key leads to. */
export const SEARCH_ID = 'search';

/** Longest query that the service takes. */
const MAX_LENGTH = 2_000;

/** The search in all mailboxes and archives, on every page. It begins with Enter, and `/` leads to it. */
export function HeaderSearch(): ReactNode {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const search = useSearch({ from: '/signed-in/search', shouldThrow: false });
  const value = search?.q ?? '';
  const [typed, setTyped] = useState(value);
  const [shown, setShown] = useState(value);
  // Going back brings the earlier search.
  if (shown !== value) {
    setShown(value);
    setTyped(value);
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const q = typed.trim();
    if (q === '') return;
    // The title of the page takes the focus.
    input.current?.blur();
    void navigate({ to: '/search', search: { ...search, q, page: undefined } });
  };
  return (
    <form role="search" className={classes.form} onSubmit={submit}>
      <input
        ref={input}
        id={SEARCH_ID}
        type="search"
        className={classes.input}
        aria-label={t('shell.search')}
        placeholder={t('shell.search')}
        maxLength={MAX_LENGTH}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </form>
  );
}

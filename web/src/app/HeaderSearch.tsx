import { CatchBoundary, useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useState, type FocusEvent, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../api/me';
import { keepRecentSearch } from '../api/recent-searches';
import { pageComponent } from '../ui/page-component';
import classes from './header-search.module.css';

export const Suggestions = pageComponent(
  () => import('../features/archive/search/SearchSuggestions'),
  'SearchSuggestions',
  'search',
);

/** The field, which a key leads to. */
export const SEARCH_ID = 'search';
const LIST_ID = 'search-suggestions';
/** Longest query that the service takes. */
const MAX_LENGTH = 2_000;

/** The search in all mailboxes and archives, on every page. It begins with Enter, and `/` leads to it. */
export function HeaderSearch(): ReactNode {
  const { t } = useTranslation();
  const { user } = useMe();
  const [input, setInput] = useState<HTMLInputElement | null>(null);
  const navigate = useNavigate();
  const search = useSearch({ from: '/signed-in/search', shouldThrow: false });
  const value = search?.q ?? '';
  const [typed, setTyped] = useState(value);
  const [shown, setShown] = useState(value);
  /** Null until the field has had the focus: the suggestions are loaded then, or with a search. */
  const [opened, setOpened] = useState<boolean | null>(null);
  // Going back brings the earlier search.
  if (shown !== value) {
    setShown(value);
    setTyped(value);
  }
  const start = (words: string): void => {
    const q = words.trim();
    if (q === '') return;
    setTyped(q);
    setOpened(false);
    // The title of the page takes the focus.
    input?.blur();
    keepRecentSearch(user.id, q);
    // A search by file looks into archives only; that is not meant for the next one.
    const choice = search?.file === undefined ? search : undefined;
    void navigate({ to: '/search', search: { ...choice, q, page: undefined } });
  };
  const type = (words: string): void => {
    setTyped(words);
    setOpened(true);
  };
  const leave = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    if (!currentTarget.contains(relatedTarget)) setOpened((before) => before && false);
  };
  return (
    <form
      role="search"
      className={classes.form}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        start(typed);
      }}
      onBlur={leave}
    >
      <input
        ref={setInput}
        id={SEARCH_ID}
        type="search"
        role="combobox"
        aria-expanded={false}
        aria-controls={LIST_ID}
        aria-autocomplete="list"
        autoComplete="off"
        className={classes.input}
        aria-label={t('shell.search')}
        placeholder={t('shell.search')}
        maxLength={MAX_LENGTH}
        value={typed}
        onChange={(event) => type(event.currentTarget.value)}
        onFocus={() => setOpened(true)}
      />
      {input && (opened !== null || typed !== '') && (
        // Without them one can search as well: a part that cannot be loaded is tried again on another page.
        <CatchBoundary getResetKey={() => window.location.pathname} errorComponent={() => null}>
          <Suspense>
            <Suggestions
              typed={typed}
              input={input}
              listId={LIST_ID}
              opened={opened === true}
              onType={type}
              onSearch={start}
              onClose={() => setOpened(false)}
            />
          </Suspense>
        </CatchBoundary>
      )}
    </form>
  );
}

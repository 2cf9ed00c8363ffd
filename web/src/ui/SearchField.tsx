import { ActionIcon, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { wantListFocus } from './list-places';
import classes from './search-field.module.css';

interface SearchFieldProps {
  readonly label: string;
  /** Shown while the field has the focus. */
  readonly help: string;
  /** Query of the page's address; a new one replaces what was typed. */
  readonly value: string;
  readonly onSearch: (value: string) => void;
}

/** A search in the list of a page. It begins with Enter, and `f` leads to it; `/` leads to the search in all mail. */
export function SearchField({ label, help, value, onSearch }: SearchFieldProps): ReactNode {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(value);
  const [shown, setShown] = useState(value);
  // Going back brings the earlier search.
  if (shown !== value) {
    setShown(value);
    setTyped(value);
  }
  useHotkeys([['f', () => input.current?.focus()]]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const wanted = typed.trim();
    // The keys of the list would type into the field.
    input.current?.blur();
    if (wanted === value) document.querySelector<HTMLElement>('[role=listbox]')?.focus();
    else wantListFocus();
    onSearch(wanted);
  };
  const clear = (): void => {
    setTyped('');
    input.current?.focus();
    if (value !== '') onSearch('');
  };
  return (
    <form role="search" className={classes.form} onSubmit={submit}>
      <TextInput
        ref={input}
        type="search"
        label={label}
        description={help}
        placeholder={label}
        leftSection={<IconSearch size={16} aria-hidden />}
        classNames={classes}
        rightSection={
          typed !== '' && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={t('common.clearSearch')}
              onClick={clear}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          )
        }
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </form>
  );
}

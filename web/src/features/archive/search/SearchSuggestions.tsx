import { ActionIcon, Button, Group, Modal, Paper, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../../api/me';
import { op } from '../../../api/op';
import { clearRecentSearches, readRecentSearches } from '../../../api/recent-searches';
import { SearchHelp } from './SearchHelp';
import { suggestionsFor, typedValue, type Suggestion, type TermName } from './suggestions';
import classes from './search-suggestions.module.css';

interface SearchSuggestionsProps {
  readonly typed: string;
  /** The field, which keeps the focus while one goes through the list. */
  readonly input: HTMLInputElement;
  readonly listId: string;
  readonly opened: boolean;
  /** Goes on typing with a term. */
  readonly onType: (q: string) => void;
  readonly onSearch: (q: string) => void;
  readonly onClose: () => void;
}

/** Time without a key after which people and labels are asked for, in milliseconds. */
const REST_MS = 120;
const NOBODY = { people: [], labels: [] };

/** Below the field of the header: terms with their meanings, people, labels, searches of before, and the help; in it, a button that clears it. */
export function SearchSuggestions(props: SearchSuggestionsProps): ReactNode {
  const { typed, input, listId, opened, onType, onSearch, onClose } = props;
  const { t } = useTranslation();
  const { user } = useMe();
  const saved = useQuery(op('savedSearches.list'));
  const [cleared, setCleared] = useState(0);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const recent = useMemo(
    () => (opened || cleared ? readRecentSearches(user.id) : []),
    [opened, cleared, user.id],
  );
  const [text] = useDebouncedValue(typedValue(typed)?.text ?? '', REST_MS);
  const { data: known = NOBODY } = useQuery({
    ...op('search.suggest', { text }),
    enabled: opened && text !== '',
    // Those of the letters before stand there until the answer comes.
    placeholderData: (before, query) =>
      query && text.startsWith(query.queryKey[1].text) ? before : undefined,
  });
  const offered = useMemo(
    () =>
      opened
        ? suggestionsFor(typed, { recent, saved: saved.data ?? [], ...(text === '' ? NOBODY : known) })
        : [],
    [opened, typed, recent, saved.data, text, known],
  );
  const choose = ({ kind, q }: Suggestion): void =>
    kind === 'recent' || kind === 'saved' ? onSearch(q) : onType(q);
  const [active, setActive] = useListKeys({
    input,
    listId,
    opened,
    offered,
    onChoose: choose,
    onClose,
    onHelp: typed === '' ? () => setHelpOpen(true) : undefined,
  });
  return (
    <>
      {typed !== '' && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          className={classes.clear}
          aria-label={t('common.clearSearch')}
          onClick={() => {
            onType('');
            input.focus();
          }}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      )}
      {opened && (
        <Paper withBorder shadow="md" className={classes.panel} p={4}>
          {offered.length > 0 && (
            <div role="listbox" id={listId} aria-label={t('search.suggestions')}>
              {offered.map((suggestion, at) => (
                <div
                  key={`${suggestion.kind} ${suggestion.q} ${suggestion.name}`}
                  role="option"
                  id={`${listId}-${at}`}
                  aria-selected={at === active}
                  className={classes.option}
                  onMouseMove={() => setActive(at)}
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => choose(suggestion)}
                >
                  <Text span size="sm" truncate>
                    {suggestion.text}
                  </Text>
                  <Text span size="xs" c="dimmed" truncate>
                    {suggestion.kind === 'recent' || suggestion.kind === 'saved'
                      ? suggestion.name || t(`search.${suggestion.kind}`)
                      : t(`search.terms.${suggestion.name as TermName}`)}
                  </Text>
                </div>
              ))}
            </div>
          )}
          <Group gap="xs" justify="space-between">
            <Button size="compact-xs" variant="subtle" onClick={() => setHelpOpen(true)}>
              {t('search.help')}
              {typed === '' && ' (?)'}
            </Button>
            {recent.length > 0 && (
              <Button
                size="compact-xs"
                variant="subtle"
                onClick={() => {
                  clearRecentSearches(user.id);
                  setCleared((times) => times + 1);
                  input.focus();
                }}
              >
                {t('search.clear')}
              </Button>
            )}
          </Group>
        </Paper>
      )}
      <Modal opened={isHelpOpen} onClose={() => setHelpOpen(false)} title={t('search.help')} size="lg">
        <SearchHelp
          onSearch={(q) => {
            setHelpOpen(false);
            onSearch(q);
          }}
        />
      </Modal>
    </>
  );
}

interface ListKeys {
  readonly input: HTMLInputElement;
  readonly listId: string;
  readonly opened: boolean;
  readonly offered: readonly Suggestion[];
  readonly onChoose: (suggestion: Suggestion) => void;
  readonly onClose: () => void;
  /** Undefined while `?` is a character of the search. */
  readonly onHelp: (() => void) | undefined;
}

/**
 * The keys of a combobox: arrows go through the list, Enter chooses, Escape closes; `?` opens the help.
 * @returns which one is active, -1 for none
 */
function useListKeys(keys: ListKeys): [number, (at: number) => void] {
  const { input, listId, opened, offered, onChoose, onClose, onHelp } = keys;
  const [active, setActive] = useState(-1);
  const [shown, setShown] = useState(offered);
  if (shown !== offered) {
    setShown(offered);
    // People come later than terms: the one that was chosen by then stays.
    const chosen = shown[active];
    setActive(offered.findIndex(({ kind, q }) => kind === chosen?.kind && q === chosen.q));
  }
  const count = offered.length;
  useEffect(() => {
    input.setAttribute('aria-expanded', String(count > 0));
    if (active >= 0) input.setAttribute('aria-activedescendant', `${listId}-${active}`);
    else input.removeAttribute('aria-activedescendant');
  }, [input, listId, count, active]);
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      const chosen = offered[active];
      if (event.key === 'Escape' && opened) onClose();
      else if (event.key === 'ArrowDown' && count > 0) setActive((active + 1) % count);
      else if (event.key === 'ArrowUp' && count > 0) setActive(active <= 0 ? count - 1 : active - 1);
      else if (event.key === 'Enter' && chosen) onChoose(chosen);
      else if (event.key === '?' && onHelp) onHelp();
      else return;
      event.preventDefault();
    };
    input.addEventListener('keydown', hear);
    return () => input.removeEventListener('keydown', hear);
  });
  return [active, setActive];
}

import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../test/render';
import { takeWantedFocus } from './list-places';
import { SearchField } from './SearchField';

describe('SearchField', () => {
  const show = (value: string): { search: (wanted: string) => void; field: HTMLElement } => {
    takeWantedFocus();
    const search = vi.fn<(wanted: string) => void>();
    renderPart(
      <>
        <SearchField label="Search" help="" value={value} onSearch={search} />
        <div role="listbox" aria-label="Messages" tabIndex={0} />
      </>,
    );
    return { search, field: screen.getByRole('searchbox', { name: 'Search' }) };
  };

  it('should move the keyboard focus to the results after Enter', async () => {
    const { search, field } = show('');
    await userEvent.type(field, ' shoply {Enter}');
    expect(search).toHaveBeenCalledExactlyOnceWith('shoply');
    expect(field).not.toHaveFocus();
    expect(takeWantedFocus()).toBe(true);
    await userEvent.keyboard('jx');
    expect(field).toHaveValue(' shoply ');
  });

  it('should move the focus to the existing list when the same search is repeated', async () => {
    const { search, field } = show('shoply');
    await userEvent.type(field, '{Enter}');
    expect(search).toHaveBeenCalledExactlyOnceWith('shoply');
    expect(screen.getByRole('listbox')).toHaveFocus();
    expect(takeWantedFocus()).toBe(false);
  });

  it('should be cleared by its button, which shows everything again', async () => {
    const { search, field } = show('shoply');
    await userEvent.click(screen.getByRole('button', { name: 'Clear the search' }));
    expect(field).toHaveValue('');
    expect(field).toHaveFocus();
    expect(search).toHaveBeenCalledExactlyOnceWith('');
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('should be focused with f', async () => {
    const { field } = show('');
    await userEvent.keyboard('f');
    expect(field).toHaveFocus();
    expect(field).toHaveValue('');
  });
});

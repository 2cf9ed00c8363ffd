import { screen } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import { renderPart } from '../../test/render';
import { loadTexts } from '../i18n/texts';
import { MailHead } from './MailReader';

describe('MailHead', () => {
  beforeAll(() => loadTexts('mailFacts'));

  const said = (to: string, date: string): string[] => {
    const { unmount } = renderPart(<MailHead subject="Order" from="a@x.test" to={to} date={date} />);
    const lines = ['From', 'To', 'Date'].filter((name) => screen.queryByText(name) !== null);
    unmount();
    return lines;
  };

  it('should have no line for missing fields', () => {
    expect(said('b@x.test', '2026-01-02T03:04:05Z')).toEqual(['From', 'To', 'Date']);
    expect(said('', '')).toEqual(['From']);
  });
});

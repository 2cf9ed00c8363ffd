import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderPart } from '../../../../test/render';
import { DateNote } from './DateNote';
import { distantArrival, isDateDoubtful } from './archive-dates';
import type { OfMail } from './of-mail';

const date = '2009-03-03T10:00:00.000Z';

describe('the dates of an archived mail', () => {
  it.each([
    ['years later', '2026-11-20T00:00:00.000Z', '2026-11-20T00:00:00.000Z'],
    ['a day later', '2009-03-04T10:00:00.000Z', null],
    ['not known', null, null],
  ])('should show the arrival when it is %s, if that is another day', (_name, received_at, shown) => {
    expect(distantArrival({ date, received_at })).toBe(shown);
  });

  it.each([
    ['arrival', /when the message arrived/],
    ['import', /when the message was imported/],
  ] as const)('should say that the date is that of the %s', (date_source, text) => {
    renderPart(<DateNote mail={{ date, date_source } as OfMail['mail']} />);
    expect(screen.getByText(text)).toBeTruthy();
  });

  it.each(['header', null] as const)(
    'should say nothing when the source of the date is %s',
    (date_source) => {
      renderPart(<DateNote mail={{ date, date_source } as OfMail['mail']} />);
      expect(screen.queryByText(/Date header/)).toBeNull();
    },
  );

  it.each([
    ['header', false],
    ['arrival', true],
    ['import', true],
    [null, false],
  ] as const)('should be doubtful when its source is %s: %s', (date_source, isDoubtful) => {
    expect(isDateDoubtful({ date_source })).toBe(isDoubtful);
  });
});

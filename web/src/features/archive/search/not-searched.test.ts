import { describe, expect, it } from 'vitest';
import '../../../i18n';
import { reasonText } from './not-searched';

const reasonOf = (code: string, detail = 'Said by the service.'): string =>
  reasonText({ account_id: 'a', code, detail });

describe('why a mailbox was not searched', () => {
  it('should name the term that it cannot search for', () => {
    expect(reasonOf('search-term-unsupported', 'This mailbox cannot search for "body:pipe".')).toBe(
      'It cannot search for “body:pipe”.',
    );
  });

  it('should be said for mailboxes that are slow, or have to be connected again', () => {
    expect(reasonOf('mailbox-not-searched-in-time')).toBe('It did not answer within 8 seconds.');
    expect(reasonOf('mailbox-reauth-required')).toBe('It has to be connected again.');
  });

  it('should be what the service says of other problems', () => {
    expect(reasonOf('something-new')).toBe('Said by the service.');
  });
});

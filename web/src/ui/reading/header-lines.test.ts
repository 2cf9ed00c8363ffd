import { describe, expect, it } from 'vitest';
import { headerLines } from './header-lines';

describe('the headers of a mail', () => {
  it.each(['\r\n', '\n'])('should be read line by line, with continued lines, up to the text', (end) => {
    const raw = ['Subject: a', ' long one', 'X-A:b', 'no header', '\tcontinued', '', 'To: the text'].join(
      end,
    );
    expect(headerLines(raw)).toEqual([
      { name: 'Subject', value: 'a long one' },
      { name: 'X-A', value: 'b continued' },
    ]);
  });

  it('should be empty where a mail begins with its text, or is empty', () => {
    expect([headerLines('\r\nSubject: no'), headerLines(''), headerLines('a b')]).toEqual([[], [], []]);
  });

  it('should be limited in number', () => {
    expect(headerLines('X-A: b\r\n'.repeat(100_000))).toHaveLength(500);
  });
});

import { eml } from '../../../../test/support/archive/eml';
import { parseForArchive } from '../archiving/parse-message.task';
import { mailTextState } from './mail-text-state';

const stateOf = (raw: Buffer): string => mailTextState(parseForArchive({ raw }));

describe('mailTextState', () => {
  it.each<[string, Buffer]>([
    ['text', eml('From: <ada@example.com>', '', 'rowing')],
    ['a subject', eml('Subject: Lake', '', '')],
    ['a sender', eml('From: <ada@example.com>', '', '')],
    ['a recipient', eml('To: <ada@example.com>', '', '')],
    ['the name of a list', eml('List-Id: <rowing.example.com>', '', '')],
  ])('should be indexed of a mail with nothing but %s', (_, raw) => {
    expect(stateOf(raw)).toBe('indexed');
  });

  it('should be nothing of a mail without words', () => {
    expect(stateOf(eml('Message-ID: <1@example.com>', '', ' …'))).toBe('nothing');
    expect(stateOf(Buffer.alloc(0))).toBe('nothing');
  });

  it('should be too large of a mail whose text or words are cut', () => {
    expect(stateOf(eml('Subject: Long', '', 'lorem ipsum '.repeat(400_000)))).toBe('too-large');
  });

  it('should be indexed of a long mail that is divided', () => {
    const words = Array.from({ length: 30_000 }, (_, index) => `n${index}`);
    expect(stateOf(eml('Subject: Long', '', words.join(' ')))).toBe('indexed');
  });

  it('should be failed of a mail that the parser has given up', () => {
    const parsed = parseForArchive({ raw: eml('Subject: Odd', '', 'x') });
    expect(mailTextState({ ...parsed, defects: ['the message could not be parsed'] })).toBe('failed');
  });
});

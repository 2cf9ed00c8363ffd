import type { OperationObject } from './operation';
import { splitTexts } from './operation';

describe('splitTexts', () => {
  it.each<[string, Partial<OperationObject>, Partial<OperationObject>]>([
    [
      'takes the first sentence of a comment',
      { description: 'Ends the session. Its tokens are\nrefused at once.' },
      { summary: 'Ends the session', description: 'Its tokens are refused at once.' },
    ],
    [
      'keeps a summary and the comment apart',
      { summary: 'Read a thread.', description: 'All mails, oldest first.' },
      { summary: 'Read a thread', description: 'All mails, oldest first.' },
    ],
    [
      'sees that an abbreviation ends no sentence',
      { description: 'Labels, e.g. those of the user. `q` filters.' },
      { summary: 'Labels, e.g. those of the user', description: '`q` filters.' },
    ],
    ['leaves out a description that would be empty', { description: 'Lists.' }, { summary: 'Lists' }],
    [
      'keeps paragraphs',
      { summary: 'List', description: 'One\nline.\n\nAnother.' },
      { summary: 'List', description: 'One line.\n\nAnother.' },
    ],
  ])('%s', (_what, texts, expected) => {
    const operation = { ...texts, responses: {} } as OperationObject;
    splitTexts(operation);
    expect(operation).toEqual({ ...expected, responses: {} });
  });
});

import type { ThreadedMessage } from './message-references';
import { shareConversation, subjectTraits } from './shared-subject';

const DAY = 24 * 60 * 60 * 1000;
const ME = 'me@example.com';

function traits(
  subject: string,
  sender: string,
  day: number,
  options: { to?: string; references?: boolean } = {},
) {
  const message: ThreadedMessage = {
    messageId: null,
    inReplyTo: null,
    references: null,
    subject,
    sender,
    recipient: options.to ?? ME,
    date: new Date(day * DAY),
  };
  return subjectTraits(message, ME, options.references ?? false)!;
}

describe('shareConversation', () => {
  const original = traits('Lunch', 'Alice <alice@example.com>', 0);
  const answer = (day: number, options = {}): ReturnType<typeof traits> =>
    traits('AW: lunch', ME, day, { to: 'ALICE@example.com', ...options });

  it.each([
    ['a reply and its original', original, answer(1), true],
    ['a reply dated before its original', original, answer(-1), true],
    ['a reply after 30 days', original, answer(30), true],
    ['a reply after 31 days', original, answer(31), false],
    ['a reply with references', original, answer(1, { references: true }), false],
    ['another subject', original, traits('Re: Dinner', ME, 1, { to: 'alice@example.com' }), false],
    ['only the owner in common', original, traits('Re: Lunch', 'bob@example.com', 1), false],
    ['repeated mail from one sender', original, traits('Lunch', 'alice@example.com', 7), false],
    ['the same subject to and fro', original, traits('Lunch', ME, 7, { to: 'alice@example.com' }), true],
    [
      'a fresh mail and a reply to another',
      traits('Lunch', 'alice@example.com', 9),
      answer(1, { references: true }),
      false,
    ],
    ['notes to oneself', traits('Lunch', ME, 0), traits('Re: Lunch', ME, 1), true],
  ])('should decide for %s', (_name, one, other, expected) => {
    expect(shareConversation(one, other)).toBe(expected);
    expect(shareConversation(other, one)).toBe(expected);
  });

  it('should ignore messages without a subject or participants', () => {
    const nothing = { messageId: null, inReplyTo: null, references: null, date: new Date(0) };
    expect(subjectTraits({ ...nothing, subject: 'Re: ', sender: ME, recipient: '' }, ME, false)).toBeNull();
    expect(subjectTraits({ ...nothing, subject: 'Lunch', sender: '', recipient: '' }, ME, false)).toBeNull();
  });
});

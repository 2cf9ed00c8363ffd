import { envelopeWords, isSameEnvelope, type MailEnvelope, mergeEnvelopes } from './mail-envelope';

const envelope = (changes: Partial<MailEnvelope>): MailEnvelope => ({
  ...{ kind: 'message', sender: null, to: [], cc: [], bcc: [], recipients: [] },
  ...changes,
});

describe('mergeEnvelopes', () => {
  it('should keep all recipients once, and the kind that knows most', () => {
    const merged = mergeEnvelopes(
      envelope({ sender: 'bounce@example.com', recipients: ['a@example.com'] }),
      envelope({
        kind: 'report',
        sender: 'b@example.com',
        recipients: ['A@example.com'],
        bcc: ['c@example.com'],
      }),
    );
    expect(merged).toEqual(
      envelope({
        ...{ kind: 'report', sender: 'bounce@example.com' },
        ...{ recipients: ['a@example.com'], bcc: ['c@example.com'] },
      }),
    );
    expect(isSameEnvelope(mergeEnvelopes(merged, merged), merged)).toBe(true);
  });

  it('should not grow without a limit', () => {
    const many = Array.from({ length: 3_000 }, (_, index) => `${index}@example.com`);
    expect(mergeEnvelopes(envelope({ bcc: many }), envelope({})).bcc).toHaveLength(2_000);
  });
});

describe('envelopeWords', () => {
  it('should be the words of the addresses', () => {
    expect(envelopeWords(envelope({ bcc: ['carol@example.com'] })).vector).toContain("'carol'");
    expect(envelopeWords(envelope({})).vector).toBe('');
  });
});

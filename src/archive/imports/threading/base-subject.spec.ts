import { baseSubject, conversationSubjectKey } from './shared-subject';

describe('baseSubject', () => {
  it.each([
    ['Lunch', 'lunch', false],
    ['  Lunch   today ', 'lunch today', false],
    ['Re: Lunch', 'lunch', true],
    ['RE : Lunch', 'lunch', true],
    ['Re:Re[2]: FW: Lunch', 'lunch', true],
    ['Re^3: Lunch', 'lunch', true],
    ['AW: WG: Lunch', 'lunch', true],
    ['TR: Réf : Lunch', 'lunch', true],
    ['Réf: Lunch', 'lunch', true],
    ['Re：Lunch', 'lunch', true],
    ['回复：Lunch', 'lunch', true],
    ['[staff] Re: [staff] Lunch', 'lunch', true],
    ['Lunch (fwd)', 'lunch', true],
    ['Odp: SV: VS: Lunch', 'lunch', true],
    ['[staff]', '[staff]', false],
    ['Re: [staff]', '[staff]', true],
    ['Re:', '', true],
    ['Regarding: lunch', 'regarding: lunch', false],
    ['Result: 4 : 2', 'result: 4 : 2', false],
    ['ÉTÉ', 'été', false],
    ['', '', false],
  ])('should reduce %j to %j', (subject, text, isReply) => {
    expect(baseSubject(subject)).toEqual({ text, isReply });
  });

  it('should handle any subject in no time', () => {
    const startedAt = performance.now();
    for (const part of ['re:', '[', '[a]', ' (fwd)', 're[1', 're   ']) baseSubject(part.repeat(20_000));
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});

describe('conversationSubjectKey', () => {
  it('should be a signed 64-bit number', () => {
    expect(BigInt.asIntN(64, BigInt(conversationSubjectKey('lunch')))).toBe(
      BigInt(conversationSubjectKey('lunch')),
    );
    expect(conversationSubjectKey('lunch')).not.toBe(conversationSubjectKey('dinner'));
  });
});

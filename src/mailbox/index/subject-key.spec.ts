import { subjectKey, subjectPattern } from './message-columns';

describe('subjectPattern', () => {
  it.each([
    ['Re: Invoice #4711 of 3 March 2026', 'invoice of'],
    ['AW: Re: RE[2]: Invoice #12 of 04/04/2026', 'invoice of'],
    ['Votre facture du 1er août 2025', 'votre facture du'],
    ['Build 1.2.3 failed', 'build failed'],
    ['Weekly digest — Mon, 3rd', 'weekly digest'],
    ['12345', ''],
    ['', ''],
  ])('should find the common part of %j and its series', (subject, pattern) => {
    expect(subjectPattern(subject)).toBe(pattern);
  });

  it('should take linear time on a long run of prefixes', () => {
    expect(subjectPattern('re: '.repeat(250) + 'x')).toBe('x');
  });
});

describe('subjectKey', () => {
  it('should be the same within a series and differ between series', () => {
    expect(subjectKey('Order 1 shipped')).toBe(subjectKey('Fwd: Order 2 shipped'));
    expect(subjectKey('Order 1 shipped')).not.toBe(subjectKey('Order 1 delivered'));
    expect(subjectKey('Order 1 shipped')).toMatch(/^-?\d+$/);
  });

  it('should be null when nothing is left', () => {
    expect(subjectKey('2026-01-01')).toBeNull();
  });
});

import { forecast } from './removal-forecast';

const NOW = new Date('2026-03-01T00:00:00Z');
const daysOld = (days: number): Date => new Date(NOW.getTime() - days * 24 * 60 * 60_000);
const NAMES = new Map([
  ['Label_1', 'Bills'],
  ['Label_2', 'Friends'],
]);

const removes = (policy: { label: string | null; maxAgeDays: number }, age: number, ...labelIds: string[]) =>
  forecast([policy], NAMES, NOW, 30)({ ageingFrom: daysOld(age), labelIds });

describe('forecast', () => {
  it.each([
    [364, true],
    [336, true],
    [334, false],
  ])('should look thirty days ahead: a mail of %i days, deleted after 365: %s', (age, expected) => {
    expect(removes({ label: null, maxAgeDays: 365 }, age)).toBe(expected);
  });

  it.each([
    ['its id', 'Label_1', ['Label_1'], true],
    ['its name in any case', 'bills', ['INBOX', 'Label_1'], true],
    ['another label', 'bills', ['Label_2', 'INBOX'], false],
    ['a system label', 'inbox', ['INBOX'], true],
    ['no label', 'bills', [], false],
    ['a label without a known name', 'bills', ['Label_99'], true],
    ['a label without a known name, but the policy names one of the system', 'inbox', ['Label_99'], false],
    ['the name that imported mail has', 'Bills', ['Bills'], true],
  ])('should match the label of a policy: %s', (_what, label, labelIds, expected) => {
    expect(removes({ label, maxAgeDays: 30 }, 365, ...labelIds)).toBe(expected);
  });

  it('should remove nothing without policies', () => {
    expect(forecast([], NAMES, NOW, 30)({ ageingFrom: daysOld(9_000), labelIds: [] })).toBe(false);
  });
});

import { countFitting, levelOf, dueNotification, NotifiedLevel } from './storage-quota';

describe('levelOf', () => {
  it.each([
    [0, 1_000, 0],
    [799, 1_000, 0],
    [800, 1_000, 80],
    [899, 1_000, 80],
    [900, 1_000, 90],
    [999, 1_000, 90],
    [1_000, 1_000, 100],
    [5_000, 1_000, 100],
    [0, 0, 100],
    [1, 0, 100],
  ])('should be, for %d bytes of %d, %d', (used, quota, level) => {
    expect(levelOf(used, quota)).toBe(level);
  });
});

describe('countFitting', () => {
  it.each<[string, number[], number, number]>([
    ['all that fits exactly', [3, 3, 4], 10, 3],
    ['everything before the first that does not fit', [3, 8, 1], 10, 1],
    ['nothing without space', [1], 0, 0],
    ['replacements that do not grow, even above the quota', [0, -5, 0], -20, 3],
    ['mails that fit thanks to smaller replacements', [-5, 5], 0, 2],
    ['nothing that grows above the quota', [-5, 1], -20, 1],
    ['nothing from an empty list', [], 10, 0],
  ])('should admit %s', (_what, growths, room, count) => {
    expect(countFitting(growths, room)).toBe(count);
  });
});

describe('dueNotification', () => {
  const NOTHING: NotifiedLevel = { percent: 0, refusedRoom: null };

  /** Usages after each write of 1,000 bytes of quota; `!` is a refusal, `=<n>` another quota. @returns marks notified */
  const tell = (...steps: string[]): (number | null)[] => {
    let notified = NOTHING;
    let used = 0;
    let quotaBytes = 1_000;
    const marks: (number | null)[] = [];
    for (const step of steps) {
      if (step.startsWith('=')) quotaBytes = Number(step.slice(1));
      else if (step.startsWith('-')) used -= Number(step.slice(1));
      else {
        const refused = step.endsWith('!');
        const usedAfter = used + Number(step.replace('!', ''));
        const result = dueNotification(notified, { quotaBytes, usedBefore: used, usedAfter, refused });
        ({ notified } = result);
        used = usedAfter;
        marks.push(result.mark);
      }
    }
    return marks;
  };

  it.each<[string, string[], (number | null)[]]>([
    ['each mark once', ['799', '1', '50', '50', '50', '50'], [null, 80, null, 90, null, 100]],
    ['the highest of several crossed at once', ['950', '50'], [90, 100]],
    ['a mark again after falling below it', ['850', '-100', '10', '60'], [80, null, 80]],
    ['a mark crossed again by one write after falling below', ['850', '-100', '100'], [80, 80]],
    ['nothing while usage stays above', ['850', '-20', '20', '10'], [80, null, null]],
    ['marks again after the quota was raised', ['850', '=2000', '700', '100'], [80, null, 80]],
    ['the mark a lowered quota has put behind', ['500', '=550', '0'], [null, 90]],
    ['a refusal once', ['970', '0!', '0!', '10!'], [90, 100, null, null]],
    ['no 100 after the refusal notified of it', ['970', '0!', '30'], [90, 100, null]],
    ['a refusal again once there was more room', ['970', '0!', '-400', '0!'], [90, 100, 100]],
    ['marks again once a refusal is over', ['970', '0!', '-400', '10', '320'], [90, 100, null, 90]],
    ['a refusal with a quota of zero, once', ['=0', '0!', '0!'], [100, null]],
    ['a refusal again after the quota was raised', ['970', '0!', '=1001', '0!'], [90, 100, 100]],
  ])('should notify of %s', (_what, steps, marks) => {
    expect(tell(...steps)).toEqual(marks);
  });
});

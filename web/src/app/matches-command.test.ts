import { describe, expect, it } from 'vitest';
import { matchesCommand } from './matches-command';

describe('matchesCommand', () => {
  it.each([
    ['', 'Settings', true],
    ['set', 'Settings', true],
    ['prof set', 'Profile Settings', true],
    ['REGLES', 'Règles', true],
    ['corbeille', 'Mettre à la corbeille', true],
    ['ings', 'Settings', false],
    ['set x', 'Settings', false],
  ])('should say of %j and %j: %s', (typed, text, expected) => {
    expect(matchesCommand(typed, text)).toBe(expected);
  });
});

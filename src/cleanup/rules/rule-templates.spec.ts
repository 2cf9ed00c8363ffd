import { validationPipe } from '../../platform/validation/validation.pipe';
import { LabelLookup } from '../../mailbox/labels/label-lookup';
import { CreateRuleDto } from './dto/rules.dto';
import { isDestructive } from './rule';
import { needsLabels, requireActionLabel } from './rule-labels';
import { buildRuleQuery, includesSpamTrash } from './rule-query';
import { RULE_TEMPLATES, TEMPLATE_CATEGORIES } from './rule-templates';

describe('RULE_TEMPLATES', () => {
  it('should be at least twelve, with some in each category', () => {
    expect(RULE_TEMPLATES.length).toBeGreaterThanOrEqual(12);
    for (const category of TEMPLATE_CATEGORIES) {
      expect(RULE_TEMPLATES.filter((template) => template.category === category).length).toBeGreaterThan(2);
    }
  });

  it('should have unique ids in kebab-case', () => {
    const ids = RULE_TEMPLATES.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+(-[a-z]+)+$/);
  });

  describe.each(RULE_TEMPLATES)('$id', ({ dto, description }) => {
    it('should pass the validation of rules', async () => {
      const body = { ...dto, description };
      await expect(
        validationPipe.transform(body, { type: 'body', metatype: CreateRuleDto }),
      ).resolves.toMatchObject(body);
    });

    it('should run in any mailbox', () => {
      expect(needsLabels(dto)).toBe(false);
      expect(buildRuleQuery(dto.conditions, LabelLookup.SYSTEM)).not.toBe('');
      expect(() => requireActionLabel(dto.action, LabelLookup.SYSTEM)).not.toThrow();
      expect(includesSpamTrash(dto.conditions)).toBe(false);
    });

    it('should move only old mail to the trash, never starred or important messages', () => {
      if (!isDestructive(dto.action.type)) return;
      expect(dto.action.type).toBe('trash');
      expect(dto.schedule).toBeNull();
      expect(buildRuleQuery(dto.conditions, LabelLookup.SYSTEM)).toMatch(
        / older_than:\w+ -label:starred -label:important$/,
      );
    });
  });
});

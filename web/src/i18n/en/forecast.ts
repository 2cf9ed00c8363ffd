export const forecast = {
  provider: 'The provider',
  about:
    '{{provider}} lets mail programs read {{perDay, number}} MB a day; Mailroom uses up to {{used, number}} MB of it. All messages, about {{size}}, will be here about {{day}}. It goes on by itself every day.',
  exact:
    '{{provider}} lets mail programs read {{perDay, number}} MB a day; Mailroom uses up to {{used, number}} MB of it. The rest of the messages, {{size}}, will be here about {{day}}. It goes on by itself every day.',
  import_one:
    '{{provider}} lets mail programs read {{perDay, number}} MB a day, all programs together. The message, about {{size}}, will be here on {{day}} at the earliest. The import goes on by itself every day.',
  import_other:
    '{{provider}} lets mail programs read {{perDay, number}} MB a day, all programs together. The {{count, number}} messages, about {{size}}, will be here on {{day}} at the earliest. The import goes on by itself every day.',
  cut_one:
    '{{provider}} shows mail programs no more than {{most, number}} messages of a folder, and {{folders}} has that many. Older ones are out of reach until you move them into other folders at the provider.',
  cut_other:
    '{{provider}} shows mail programs no more than {{most, number}} messages of a folder, and these folders have that many: {{folders}}. Older ones are out of reach until you move them into other folders at the provider.',
  sending:
    'The provider lets mail programs add only so much a day: the last message will be there about {{day}}. It goes on by itself every day.',
} as const;

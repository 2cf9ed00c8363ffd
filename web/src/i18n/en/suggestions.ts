export const suggestions = {
  title: 'Suggestions',
  kinds: {
    bulk_unread_one: '{{count, number}} unread message from {{sender}}',
    bulk_unread_other: '{{count, number}} unread messages from {{sender}}',
    large_sender_one: '{{count, number}} large message from {{sender}}',
    large_sender_other: '{{count, number}} messages from {{sender}} take much space',
    old_newsletters_one: '{{count, number}} old newsletter from {{sender}}',
    old_newsletters_other: '{{count, number}} old newsletters from {{sender}}',
    duplicate_pattern_one: '{{count, number}} message with the same subject from {{sender}}',
    duplicate_pattern_other: '{{count, number}} messages with the same subject from {{sender}}',
  },
  dismiss: 'Do not suggest this again: {{title}}',
  none: 'There is nothing to suggest: this mailbox is tidy.',
  all: 'All suggestions',
} as const;

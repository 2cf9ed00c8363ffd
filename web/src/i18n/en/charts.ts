export const charts = {
  asTable: 'Show as a table',
  month: 'Month',
  messages: 'Messages',
  monthsText_one: '{{count, number}} message a month at most, in {{month}}',
  monthsText_other: '{{count, number}} messages a month at most, in {{month}}',
} as const;

import {
  formatted,
  integer,
  list,
  maybe,
  moment,
  needed,
  oneOf,
  orNull,
  ours,
  partial,
  record,
  text,
  uuid,
} from './notation';
import type { Routes } from './notation';

const icon = orNull(
  oneOf(
    'folder',
    'star',
    'mail',
    'attachment',
    'invoice',
    'alert',
    'archive',
    'calendar',
    'work',
    'shopping',
  ),
);
/** A hexadecimal colour code. */
const color = orNull(text());

const scope = oneOf('mailbox', 'archive');

const savedSearch = record(
  {
    id: uuid,
    user_id: uuid,
    name: text(),
    query: text(),
    icon,
    color,
    sort_order: integer(),
    created_at: moment,
    updated_at: moment,
  },
  { scope },
);

const fields = {
  name: needed(text({ ourMin: 1, max: 255 })),
  query: needed(text({ ourMin: 1, max: 2_000 })),
  icon: maybe(icon),
  color: maybe(color),
  scope: ours(maybe(scope, 'mailbox')),
};

const done = record({ ok: { kind: 'flag' } });

export const savedSearches: Routes = {
  'GET /api/saved-searches': {
    access: 'user',
    query: { scope: ours(maybe(scope)) },
    ours: [400],
    answers: 200,
    returns: list(savedSearch),
  },
  'POST /api/saved-searches': {
    access: 'user',
    body: fields,
    answers: 201,
    returns: savedSearch,
    ours: [409],
  },
  'PUT /api/saved-searches/:searchId': {
    access: 'user',
    body: {
      ...partial(fields),
      sort_order: maybe(integer({ ourMin: -2_147_483_648, ourMax: 2_147_483_647 })),
    },
    answers: 200,
    returns: savedSearch,
    refuses: [400, 404],
  },
  'DELETE /api/saved-searches/:searchId': {
    access: 'user',
    answers: 200,
    returns: done,
    refuses: [400, 404],
  },
  'PUT /api/saved-searches/reorder': {
    access: 'user',
    body: { ids: needed(list(formatted('uuid'), { ourMin: 1, ourMax: 500 })) },
    answers: 200,
    returns: done,
    refuses: [404],
  },
};

/**
 * An account's refused login is a Redis hash: `version` of the password or id of the grant; `until`, before which no call logs in;
 * `reason`; `trial` and `lease` of the call that tries once more; `over` when that call was refused too. Times are
 * those of Redis' own clock.
 */
const NOW = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
`;

/**
 * Asks for permission to log in.
 *
 * KEYS: hash. ARGV: version, token of the caller that would try (empty: only asks), length of a try in ms. Returns
 * {state, wait in ms, reason}: `free`, `trial` (this is the one further try), `later`, `over`.
 */
export const BEGIN_LOGIN = `
local known = redis.call('HMGET', KEYS[1], 'version', 'until', 'reason', 'trial', 'lease', 'over')
if known[1] ~= ARGV[1] then return {'free', 0, ''} end
if known[6] then return {'over', 0, known[3]} end
${NOW}
local wait = tonumber(known[2]) - now
if known[4] then wait = math.max(wait, tonumber(known[5]) - now) end
if wait > 0 then return {'later', math.ceil(wait), known[3]} end
if ARGV[2] == '' then return {'free', 0, ''} end
redis.call('HSET', KEYS[1], 'trial', ARGV[2], 'lease', string.format('%.0f', now + ARGV[3]))
return {'trial', 0, known[3]}
`;

/**
 * Records a refusal. Only the one further try decides: other logins may have begun before the first refusal was known.
 *
 * KEYS: hash. ARGV: version, token of the try (empty: none), pause in ms, reason, lifetime of the hash in ms. Returns
 * the ms until the one further try, or -1 when this was it.
 */
export const LOGIN_REFUSED = `
local known = redis.call('HMGET', KEYS[1], 'version', 'until', 'trial')
${NOW}
if known[1] ~= ARGV[1] then
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], 'version', ARGV[1], 'until', string.format('%.0f', now + ARGV[3]), 'reason', ARGV[4])
  redis.call('PEXPIRE', KEYS[1], ARGV[5])
  return tonumber(ARGV[3])
end
if ARGV[2] ~= '' and known[3] == ARGV[2] then
  redis.call('HSET', KEYS[1], 'over', '1', 'reason', ARGV[4])
  redis.call('PEXPIRE', KEYS[1], ARGV[5])
  return -1
end
return math.max(0, math.ceil(tonumber(known[2]) - now))
`;

/**
 * Ends the further try without a refusal.
 *
 * KEYS: hash. ARGV: version, token of the try, `accepted` or `open`.
 */
export const LOGIN_SETTLED = `
local known = redis.call('HMGET', KEYS[1], 'version', 'trial')
if known[1] ~= ARGV[1] or known[2] ~= ARGV[2] then return 0 end
if ARGV[3] == 'accepted' then return redis.call('DEL', KEYS[1]) end
return redis.call('HDEL', KEYS[1], 'trial', 'lease')
`;
